import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { missedRules, newSchedule } from '#shared/api/schedules.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import type { ProjectScope } from '../../resources/resource.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { LaunchFields } from '../../ui/forms/launch-fields.tsx';
import { TargetFields } from '../../ui/forms/target-fields.tsx';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import { CronField } from './cron-field.tsx';
import { OnceField } from './once-field.tsx';
import { scheduleBody, type ScheduleValues, scheduleValues } from './schedule-values.ts';
import { scheduleResource } from './schedules.queries.ts';

interface Scope extends ProjectScope {
  /** The workflow that a new schedule starts; by default a template is chosen. */
  workflowId?: number | null;
}

export const ScheduleDialog = defineResourceDialog({
  resource: scheduleResource,
  help: 'schedule',
  fields: 5,
  values: (schedule, { workflowId = null }: Scope) =>
    scheduleValues(schedule ?? { workflow_id: workflowId }),
  toBody: scheduleBody,
  schema: newSchedule,
  Fields: ScheduleFields,
});

function ScheduleFields({ projectId, form }: Scope & FieldsProps<ScheduleValues>) {
  const templates = useQuery(templateQueries.list(projectId));
  const workflows = useQuery(workflowQueries.list(projectId));
  const repositories = useQuery(repositoryQueries.list(projectId));
  const inventories = useQuery(inventoryQueries.list(projectId));
  return (
    <>
      <TextInput
        label={t('common.name')}
        description={t('schedule.name_hint')}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TargetFields
        form={form}
        templates={templates.data}
        workflows={workflows.data}
        templateLabel={t('schedule.template')}
        required
      />
      <Select
        label={t('schedule.when.label')}
        allowDeselect={false}
        data={[
          { value: 'cron', label: t('schedule.when.cron') },
          { value: 'run_at', label: t('schedule.when.run_at') },
        ]}
        value={form.values.type || 'cron'}
        onChange={(type) => form.setFieldValue('type', type === 'run_at' ? type : '')}
      />
      {form.values.type === 'run_at' ? (
        <OnceField
          projectId={projectId}
          time={form.getInputProps('run_at')}
          zone={form.getInputProps('time_zone')}
          deletion={form.getInputProps('delete_after_run', { type: 'checkbox' })}
        />
      ) : (
        <CronField
          projectId={projectId}
          label={t('schedule.cron')}
          required
          cron={form.getInputProps('cron_format')}
          zone={form.getInputProps('time_zone')}
        />
      )}
      <Select
        label={t('schedule.missed.label')}
        description={t('schedule.missed.hint')}
        allowDeselect={false}
        data={missedRules.map((value) => ({ value, label: t(`schedule.missed.${value}`) }))}
        {...form.getInputProps('missed')}
      />
      <IdSelect
        label={t('schedule.repository')}
        description={t('schedule.repository_hint')}
        placeholder={t('schedule.always')}
        items={repositories.data}
        {...form.getInputProps('repository_id')}
      />
      {form.values.starts === 'template' && (
        <LaunchFields form={form} inventories={inventories.data} />
      )}
      <Switch
        label={t('schedule.active')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </>
  );
}
