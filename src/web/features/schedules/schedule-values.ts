// The values of the schedule form, and the body made from them.

import type { Schedule } from '#shared/api/schedules.ts';
import { launchBody, launchValues } from '../../ui/forms/launch-values.ts';
import { targetBody, targetValues } from '../../ui/forms/target-values.ts';

export const scheduleValues = ({
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
export type ScheduleValues = ReturnType<typeof scheduleValues>;

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
