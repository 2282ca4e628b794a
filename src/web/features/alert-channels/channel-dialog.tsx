import { Checkbox, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import {
  type AlertChannel,
  alertChannelChange,
  newAlertChannel,
} from '#shared/api/alert-channels.ts';
import { alertEvents, alertTypeNeeds, alertTypes } from '#shared/alerts.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { MultiSelect, Select, TagsInput } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { systemQueries } from '../system/system.queries.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import { alertChannelResource } from './alert-channels.queries.ts';
import {
  channelBody,
  channelValues,
  type ChannelValues,
  inputPath,
  isSealed,
} from './channel-values.ts';

export const ChannelDialog = defineResourceDialog({
  resource: alertChannelResource,
  help: 'alert_channel',
  size: 480,
  fields: 5,
  values: channelValues,
  toBody: channelBody,
  schema: newAlertChannel,
  changeSchema: alertChannelChange,
  inputPath,
  Fields: ChannelFields,
});

interface Props {
  projectId: number;
  form: UseFormReturnType<ChannelValues>;
  /**
   * The stored channel, whose type, address and secret stay unless replaced; null for a new
   * channel.
   */
  stored: AlertChannel | null;
}

function ChannelFields({ projectId, form, stored }: Props) {
  const { type, override_secret: isReplaced } = form.getValues();
  const isLocked = stored !== null && !isReplaced;
  const info = useQuery(systemQueries.info());
  const noMail = type === 'email' && info.data?.alerts.mail === false;
  return (
    <>
      <TextInput label={t('common.name')} required data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('alert.type')}
        required
        allowDeselect={false}
        disabled={isLocked}
        data={alertTypes.map((value) => ({ value, label: t(`alert.types.${value}`) }))}
        description={noMail ? t('alert.unavailable') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('type')}
      />
      {stored !== null && (
        <Checkbox
          label={isSealed(stored.type) ? t('alert.replace_secret') : t('alert.replace_type')}
          description={isSealed(stored.type) ? t('alert.replace_secret_hint') : undefined}
          {...form.getInputProps('override_secret', { type: 'checkbox' })}
        />
      )}
      <Target form={form} stored={stored} isLocked={isLocked} />
      <Checkbox.Group label={t('alert.events')} required {...form.getInputProps('events')}>
        <div className="column gap-8 pt-6">
          {alertEvents.map((event) => (
            <Checkbox key={event} value={event} label={t(`alert.event.${event}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <Limits projectId={projectId} form={form} />
      <Switch label={t('alert.active')} {...form.getInputProps('active', { type: 'checkbox' })} />
    </>
  );
}

type TargetProps = Pick<Props, 'form' | 'stored'> & { isLocked: boolean };

function Target({ form, stored, isLocked }: TargetProps) {
  const { type } = form.getValues();
  const needs = alertTypeNeeds[type];
  return (
    <>
      {type === 'email' && (
        <TagsInput
          label={t('alert.addresses')}
          description={t('alert.addresses_hint')}
          required
          splitChars={[',', ';', ' ']}
          {...form.getInputProps('addresses')}
        />
      )}
      {type === 'telegram' && (
        <TextInput
          label={t('alert.chat')}
          description={t('alert.chat_hint')}
          required
          autoComplete="off"
          {...form.getInputProps('chat')}
        />
      )}
      {needs.address && (
        <TextInput
          label={t('alert.address')}
          description={t(`alert.address_hint.${type === 'email' ? 'webhook' : type}`)}
          required={!isLocked}
          disabled={isLocked}
          placeholder={isLocked ? t('alert.stored', { host: stored?.host ?? '—' }) : 'https://'}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('address')}
        />
      )}
      {needs.secret !== 'none' && (
        <SecretInput
          label={type === 'webhook' ? t('alert.signature_secret') : t('alert.secret')}
          description={t(`alert.secret_hint.${type === 'email' ? 'webhook' : type}`)}
          required={needs.secret === 'required' && !isLocked}
          disabled={isLocked}
          placeholder={isLocked && stored?.has_secret ? '••••••••' : ''}
          {...form.getInputProps('secret')}
        />
      )}
    </>
  );
}

/** The templates and workflows that the channel reports; workflows only if the project has some. */
function Limits({ projectId, form }: Pick<Props, 'projectId' | 'form'>) {
  const templates = useQuery(templateQueries.list(projectId)).data ?? [];
  const workflows = useQuery(workflowQueries.list(projectId)).data ?? [];
  const { template_ids: ofTemplates, workflow_ids: ofWorkflows } = form.getValues();
  const hasWorkflows = workflows.length > 0 || ofWorkflows.length > 0;
  const words = (isOther: boolean, all: string, none: string) => (isOther ? none : all);
  return (
    <>
      <Choice
        label={t('alert.templates')}
        nothing={words(ofWorkflows.length > 0, t('alert.all_templates'), t('alert.no_templates'))}
        options={templates}
        input={form.getInputProps('template_ids')}
      />
      {hasWorkflows && (
        <Choice
          label={t('alert.workflows')}
          nothing={words(ofTemplates.length > 0, t('alert.all_workflows'), t('alert.no_workflows'))}
          options={workflows}
          input={form.getInputProps('workflow_ids')}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  /** The meaning of an empty choice. */
  nothing: string;
  options: { id: number; name: string }[];
  input: ReturnType<Props['form']['getInputProps']>;
}

function Choice({
  label,
  nothing,
  options,
  input: { value = [], onChange, ...input },
}: ChoiceProps) {
  const chosen = value as number[];
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? nothing : ''}
      data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
      searchable
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      value={chosen.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      {...input}
    />
  );
}
