// The schedules of a project in the days of a calendar.

import { z } from 'zod';
import { id, time } from '../fields.ts';

/** A day in the requested time zone, `2026-11-30`; `to` is the first instant of the next day. */
const calendarDay = z.object({ day: z.iso.date(), from: time, to: time });
export type CalendarDay = z.output<typeof calendarDay>;

const due = {
  due: time,
  /** The last due time of the band; the same as `due` for a single one. */
  last: time,
  /** The number of due times; more than 1: many in a day, which are one band. */
  count: z.number().int().min(1),
};

const calendarDue = z.object({
  ...due,
  /** The time between the due times of a band in seconds, if it is always the same. */
  every_s: z.number().min(0).nullable(),
});
export type CalendarDue = z.output<typeof calendarDue>;

/** In the order of their severity. `started`: the task or run was deleted, so its result is unknown. */
export const calendarResults = [
  'failed',
  'missed',
  'stopped',
  'skipped',
  'running',
  'started',
  'success',
] as const;
export type CalendarResult = (typeof calendarResults)[number];

const calendarFire = z.object({
  ...due,
  /** What became of it, the most severe of a band. */
  result: z.enum(calendarResults),
  /** The number of due times in the band that failed or were missed. */
  bad: z.number().int().min(0),
  /** What it launched, the newest of a band; null: nothing, or deleted. */
  task_id: id.nullable(),
  workflow_run_id: id.nullable(),
  /** From the start to the end of a single one, in seconds; null: unknown, or not ended. */
  duration_s: z.number().min(0).nullable(),
});
export type CalendarFire = z.output<typeof calendarFire>;

const calendarSchedule = z.object({
  id,
  name: z.string(),
  template_id: id.nullable(),
  tpl_name: z.string().nullable(),
  workflow_id: id.nullable(),
  workflow_name: z.string().nullable(),
  active: z.boolean(),
  /** The median duration of the last successful runs, in seconds; null: there are none. */
  expected_s: z.number().int().min(0).nullable(),
  /** The due times that were handled. */
  past: z.array(calendarFire),
  /** The due times to come. As of `past`, a day has at most 13: more of them are bands. */
  due: z.array(calendarDue),
});
export type CalendarSchedule = z.output<typeof calendarSchedule>;

export const scheduleCalendar = z.object({
  time_zone: z.string(),
  /** The time of the server. */
  now: time,
  days: z.array(calendarDay),
  /** Those with due times in these days, of at most 500 schedules. */
  schedules: z.array(calendarSchedule),
  /** Whether the project has more schedules than were looked at. */
  has_more: z.boolean(),
});
export type ScheduleCalendar = z.output<typeof scheduleCalendar>;
