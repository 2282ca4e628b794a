import { Checkbox, Input, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useQuery } from '@tanstack/react-query';
import { templateTypes } from '#shared/api/templates.ts';
import { Select } from '../../../ui/forms/select.ts';
import { t } from '../../../lib/i18n.ts';
import { appQueries } from '../../apps/apps.queries.ts';
import { viewQueries } from '../../views/views.queries.ts';
import { ResourceSelect } from './resource-select.tsx';
import type { FieldsProps } from './template-fields-props.ts';
import type { TemplateValues } from './template-values.ts';
import { templateQueries } from '../templates.queries.ts';

export function TemplateBasics(props: FieldsProps) {
  const { projectId, form } = props;
  const views = useQuery(viewQueries.list(projectId)).data;
  const { type } = form.getValues();
  return (
    <>
      <TextInput
        label={t('common.name')}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t('template.form.description')}
        autosize
        minRows={1}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <AppSelect form={form} />
      <Input.Wrapper label={t('template.form.type')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('template.form.type')}
          data={templateTypes.map((value) => ({
            value,
            label: t(`template.type.${value || 'task'}`),
          }))}
          {...form.getInputProps('type')}
          onChange={(chosen) => form.setFieldValue('type', chosen as TemplateValues['type'])}
        />
        <Input.Description mt={4}>{t(`template.type_hint.${type || 'task'}`)}</Input.Description>
      </Input.Wrapper>
      {type === 'build' && (
        <TextInput
          label={t('template.form.start_version')}
          description={t('template.form.start_version_hint')}
          placeholder="0.0.0"
          required
          {...form.getInputProps('start_version')}
        />
      )}
      {type === 'deploy' && <DeployFields {...props} />}
      {views && views.length > 0 && (
        <ResourceSelect
          label={t('template.form.view')}
          items={views.map(({ id, title }) => ({ id, name: title }))}
          preselect={props.isNew}
          {...form.getInputProps('view_id')}
        />
      )}
    </>
  );
}

function AppSelect({ form }: Pick<FieldsProps, 'form'>) {
  const { data: apps = [] } = useQuery(appQueries.list());
  const { app: chosen } = form.getValues();
  const offered = apps
    .filter(({ id, active }) => active || id === chosen)
    .sort((a, b) => b.priority - a.priority);
  const missing = apps.find(({ id, available }) => id === chosen && !available);
  return (
    <Select
      label={t('template.app')}
      description={missing && t('app.unavailable', { app: missing.title })}
      required
      allowDeselect={false}
      data={offered.map(({ id, title, available }) => ({
        value: id,
        label: available ? title : `${title} (${t('app.unavailable_short')})`,
      }))}
      {...form.getInputProps('app')}
    />
  );
}

function DeployFields({ projectId, templateId, form }: FieldsProps) {
  const { data } = useQuery(templateQueries.list(projectId));
  return (
    <>
      <ResourceSelect
        label={t('template.form.build_template')}
        required
        description={t('template.form.build_template_hint')}
        items={data?.filter(({ id, type }) => type !== '' && id !== templateId)}
        {...form.getInputProps('build_template_id')}
      />
      <Checkbox
        label={t('template.form.autorun')}
        {...form.getInputProps('autorun', { type: 'checkbox' })}
      />
    </>
  );
}
