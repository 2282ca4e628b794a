// The values of the schedule form, and the body made from them.

import type { CallOf } from '#shared/api/endpoint.ts';
import type { MissedRule, Schedule, schedules, scheduleTypes } from '#shared/api/schedules.ts';
import { launchBody, type LaunchValues, launchValues } from '../../ui/forms/launch-values.ts';

export type ScheduleValues = {
  name: string;
  template_id: number | null;
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
  template_id: null,
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

export const scheduleValues = (schedule?: Schedule): ScheduleValues =>
  schedule
    ? {
        name: schedule.name,
        template_id: schedule.template_id,
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
    : newSchedule;

// The schema has refused a missing template before this is sent.
export const scheduleBody = ({ task_params: given, ...values }: ScheduleValues) =>
  ({ ...values, task_params: launchBody(given) }) as CallOf<typeof schedules.create>['body'];
