import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { missedRules, newSchedule, type Schedule } from '#shared/api/schedules.ts';
import { Select } from '../../ui/forms/select.ts';
import { t } from '../../lib/i18n.ts';
import { defineResourceDialog, type FieldsProps } from '../../resources/resource-dialog.tsx';
import type { ProjectScope } from '../../resources/resource.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { LaunchFields } from '../../ui/forms/launch-fields.tsx';
import { TargetFields } from '../../ui/forms/target-fields.tsx';
import { launchBody, launchValues } from '../../ui/forms/launch-values.ts';
import { targetBody, targetValues } from '../../ui/forms/target-values.ts';
import { fromWallClock, toWallClock } from '../../lib/wall-clock.ts';
import { useExecutionChoices } from '../execution-environments/execution-environments.queries.ts';
import { inventoryQueries } from '../inventories/inventories.queries.ts';
import { repositoryQueries } from '../repositories/repositories.queries.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { workflowQueries } from '../workflows/workflows.queries.ts';
import { CronField } from './cron-field.tsx';
import { scheduleResource } from './schedules.queries.ts';
import { type Input, useServerZone, ZoneSelect } from './zone-select.tsx';

const scheduleValues = ({
  name = '',
  template_id = null,
  workflow_id = null,
  type = '',
  cron_format = '',
  run_at = null,
  delete_after_run = false,
  time_zone = '',
  repository_id = null,
  missed = 'skip',
  active = true,
  task_params,
}: Partial<Schedule> = {}) => ({
  name,
  ...targetValues({ template_id, workflow_id }),
  type,
  cron_format,
  // A time in UTC; empty for none.
  run_at: run_at ?? '',
  delete_after_run,
  // Empty for the time zone of the server.
  time_zone,
  repository_id,
  missed,
  active,
  task_params: launchValues(task_params),
});
type ScheduleValues = ReturnType<typeof scheduleValues>;

const scheduleBody = ({
  task_params: given,
  starts,
  template_id,
  workflow_id,
  ...values
}: ScheduleValues) => ({
  ...values,
  ...targetBody({ starts, template_id, workflow_id }),
  task_params: starts === 'workflow' ? null : launchBody(given),
});

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
  const executionEnvironments = useExecutionChoices(projectId);
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
        <LaunchFields
          form={form}
          inventories={inventories.data}
          executionEnvironments={executionEnvironments}
        />
      )}
      <Switch
        label={t('schedule.active')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </>
  );
}

interface Props {
  projectId: number;
  /** A time in UTC; empty for none. */
  time: Input;
  /** Empty for the time zone of the server. */
  zone: Input;
  deletion: ComponentProps<typeof Switch>;
}

function OnceField({ projectId, time, zone, deletion }: Props) {
  const server = useServerZone(projectId) ?? 'UTC';
  const inZone = zone.value || server;
  const shown = time.value ? toWallClock(time.value, inZone) : '';
  const set = (clock: string, timeZone: string) =>
    time.onChange?.(clock === '' ? '' : fromWallClock(clock, timeZone));
  return (
    <div className="column gap-8 min-w-0">
      <div
        className="grid items-end gap-12"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(170px, 1fr))' }}
      >
        <TextInput
          type="datetime-local"
          label={t('schedule.run_at')}
          required
          value={shown}
          error={time.error}
          onChange={(event) => set(event.currentTarget.value, inZone)}
        />
        <ZoneSelect
          projectId={projectId}
          {...zone}
          onChange={(chosen) => {
            zone.onChange?.(chosen);
            set(shown, chosen || server);
          }}
        />
      </div>
      <Switch label={t('schedule.delete_after_run')} {...deletion} />
    </div>
  );
}
