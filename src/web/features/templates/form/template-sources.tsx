import { Button, Input, TextInput } from '@mantine/core';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type AppKind, kindOf } from '#shared/apps.ts';
import { requirementTimes } from '#shared/api/templates.ts';
import { MultiSelect, Select } from '../../../ui/forms/select.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { environmentQueries } from '../../environments/environments.queries.ts';
import { useExecutionChoices } from '../../execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';
import { keyQueries } from '../../keys/keys.queries.ts';
import { repositoryQueries } from '../../repositories/repositories.queries.ts';
import { PlaybookInput } from './playbook-input.tsx';
import { newChoice } from './new-resource.tsx';
import { ResourceSelect } from './resource-select.tsx';
import { TemplateCommand } from './template-command.tsx';
import classes from './template-fields.module.css';
import type { FieldsProps } from './template-fields-props.ts';
import { furtherOf, hasRequirements, noneChosen, type TemplateValues } from './template-values.ts';

const examples: Record<AppKind, string> = {
  ansible: 'site.yml',
  terraform: 'infrastructure',
  python: 'report.py',
  script: 'deploy.sh',
};

const scriptExample = 'vault-password.sh';

const empty = { name: '', vault_key_id: null, script: '' };
const newVaults = {
  add_vault: { ...empty, type: 'password' },
  add_vault_script: { ...empty, type: 'script' },
} as const;

export function TemplateSources(props: FieldsProps) {
  const { projectId, form } = props;
  const kind = kindOf(form.getValues().app);
  /**
   * The items of a field with an explicit "None"; for a new template, the only item is preselected.
   */
  const orNone = (items: { id: number; name: string }[] | undefined) => ({
    required: true,
    items: items && [{ id: noneChosen, name: t('template.form.none_chosen') }, ...items],
    likely: kind === 'ansible' && props.isNew ? items : [],
  });
  return (
    <>
      <ResourceSelect
        label={t('template.column.repository')}
        required
        items={useQuery(repositoryQueries.list(projectId)).data}
        newResource={newChoice(props, 'repository')}
        {...form.getInputProps('repository_id')}
      />
      <div className={`grid items-start gap-14 ${classes.pair}`}>
        <PlaybookInput
          projectId={projectId}
          form={form}
          label={t(`template.form.file.${kind}`)}
          placeholder={examples[kind]}
          required={kind !== 'terraform'}
        />
        <TextInput
          label={t('template.form.branch')}
          placeholder={t('template.form.branch_hint')}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('git_branch')}
        />
      </div>
      {kind !== 'terraform' && (
        <TextInput
          label={t('template.form.working_directory')}
          description={t('template.form.working_directory_hint')}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('working_directory')}
        />
      )}
      <ResourceSelect
        label={t('template.column.inventory')}
        description={kind === 'ansible' && t('template.form.inventory_hint')}
        {...orNone(useQuery(inventoryQueries.list(projectId)).data)}
        newResource={newChoice(props, 'inventory')}
        {...form.getInputProps('inventory_id')}
      />
      <ResourceSelect
        label={t('template.column.environment')}
        {...orNone(useQuery(environmentQueries.list(projectId)).data)}
        newResource={newChoice(props, 'environment')}
        {...form.getInputProps('environment_id')}
      />
      <FurtherEnvironments {...props} />
      <ResourceSelect
        label={t('execution_environment.one')}
        description={t('execution_environment.template_hint')}
        placeholder={t('execution_environment.of_project')}
        items={useExecutionChoices(projectId)}
        newResource={newChoice(props, 'execution_environment')}
        {...form.getInputProps('execution_environment_id')}
      />
      {kind === 'ansible' && <Vaults {...props} />}
      {hasRequirements(form.getValues().app) && <Requirements form={form} />}
      <TemplateCommand form={form} />
    </>
  );
}

/** The further environments, in the order in which they were chosen. */
function FurtherEnvironments({ projectId, form }: FieldsProps) {
  const { data = [] } = useQuery(environmentQueries.list(projectId));
  const { environment_id: first, environment_ids: all } = form.getValues();
  if (!first || data.length < 2) return null;
  const { value: _all, onChange: _change, ...input } = form.getInputProps('environment_ids');
  return (
    <MultiSelect
      label={t('template.form.further_environments')}
      description={t('template.form.further_environments_hint')}
      data={data
        .filter(({ id }) => id !== first)
        .map(({ id, name }) => ({ value: String(id), label: name }))}
      searchable
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      value={furtherOf(all, first).map(String)}
      onChange={(ids) => form.setFieldValue('environment_ids', [first, ...ids.map(Number)])}
      {...input}
    />
  );
}

/** The Ansible Vault passwords, which are keys or printed by scripts; at most one has no name. */
function Vaults(props: FieldsProps) {
  const { projectId, form } = props;
  const { data } = useQuery(keyQueries.list(projectId));
  const { vaults } = form.getValues();
  const usable = data?.filter(({ type }) => type === 'login_password');
  return (
    <Input.Wrapper label={t('template.form.vaults')} labelElement="div">
      <Input.Description>{t('template.form.vaults_hint')}</Input.Description>
      {vaults.map(({ type }, index) => (
        <div key={index} className={`grid gap-8 pt-8 ${classes.vault}`}>
          {type === 'script' ? (
            <TextInput
              label={t('template.form.vault_script')}
              placeholder={scriptExample}
              required
              classNames={{ input: 'mono' }}
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps(`vaults.${index}.script`)}
            />
          ) : (
            <ResourceSelect
              label={t('template.form.vault_key')}
              required
              items={usable}
              newResource={newChoice(props, 'key')}
              {...form.getInputProps(`vaults.${index}.vault_key_id`)}
            />
          )}
          <TextInput
            label={t('template.form.vault_name')}
            placeholder="default"
            autoComplete="off"
            {...form.getInputProps(`vaults.${index}.name`)}
          />
          <IconButton
            label={t('template.form.remove_vault', { number: index + 1 })}
            icon={<IconTrash size={16} />}
            onClick={() => form.removeListItem('vaults', index)}
          />
        </div>
      ))}
      <div className="flex wrap gap-8 pt-8">
        {(['add_vault', 'add_vault_script'] as const).map((label) => (
          <Button
            key={label}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('vaults', newVaults[label])}
          >
            {t(`template.form.${label}`)}
          </Button>
        ))}
      </div>
    </Input.Wrapper>
  );
}

function Requirements({ form }: Pick<FieldsProps, 'form'>) {
  return (
    <Select
      label={t('template.requirements.label')}
      description={t('template.requirements.hint')}
      allowDeselect={false}
      data={requirementTimes.map((value) => ({
        value,
        label: t(`template.requirements.${value}`),
      }))}
      {...form.getInputProps('install_requirements')}
      onChange={(chosen) =>
        form.setFieldValue('install_requirements', chosen as TemplateValues['install_requirements'])
      }
    />
  );
}
