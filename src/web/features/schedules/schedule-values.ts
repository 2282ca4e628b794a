// The values of the schedule form, and the body made from them.

import type { MissedRule, Schedule, scheduleTypes } from '#shared/api/schedules.ts';
import { launchBody, type LaunchValues, launchValues } from '../../ui/forms/launch-values.ts';
import { targetBody, targetValues, type TargetValues } from '../../ui/forms/target-values.ts';

export type ScheduleValues = TargetValues & {
  name: string;
  type: (typeof scheduleTypes)[number];
  cron_format: string;
  /** A time in UTC; empty for none. */
  run_at: string;
  delete_after_run: boolean;
  /** Empty for the time zone of the server. */
  time_zone: string;
  repository_id: number | null;
  missed: MissedRule;
  active: boolean;
  task_params: LaunchValues;
};

const newSchedule: ScheduleValues = {
  name: '',
  ...targetValues(),
  type: '',
  cron_format: '',
  run_at: '',
  delete_after_run: false,
  time_zone: '',
  repository_id: null,
  missed: 'skip',
  active: true,
  task_params: launchValues(),
};

/** The values of a schedule, or those of a new one, which may be for a workflow. */
export const scheduleValues = (
  schedule?: Schedule,
  workflowId: number | null = null,
): ScheduleValues =>
  schedule
    ? {
        name: schedule.name,
        ...targetValues(schedule),
        type: schedule.type,
        cron_format: schedule.cron_format,
        run_at: schedule.run_at ?? '',
        delete_after_run: schedule.delete_after_run,
        time_zone: schedule.time_zone,
        repository_id: schedule.repository_id,
        missed: schedule.missed,
        active: schedule.active,
        task_params: launchValues(schedule.task_params),
      }
    : { ...newSchedule, ...targetValues({ template_id: null, workflow_id: workflowId }) };

export const scheduleBody = ({
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
