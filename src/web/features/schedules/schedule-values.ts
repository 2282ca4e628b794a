// What the inputs of the schedule form hold, and what is sent of it.

import type { CallOf } from '#shared/api/endpoint.ts';
import type { MissedRule, Schedule, schedules } from '#shared/api/schedules.ts';

export type ScheduleValues = {
  name: string;
  template_id: number | null;
  cron_format: string;
  /** Empty: the zone of the server. */
  time_zone: string;
  repository_id: number | null;
  missed: MissedRule;
  active: boolean;
};

export const scheduleValues = (schedule?: Schedule): ScheduleValues => ({
  name: schedule?.name ?? '',
  template_id: schedule?.template_id ?? null,
  cron_format: schedule?.cron_format ?? '',
  time_zone: schedule?.time_zone ?? '',
  repository_id: schedule?.repository_id ?? null,
  missed: schedule?.missed ?? 'skip',
  active: schedule?.active ?? true,
});

// The schema has refused a template that was not chosen before this is sent.
export const scheduleBody = (values: ScheduleValues) =>
  values as CallOf<typeof schedules.create>['body'];
