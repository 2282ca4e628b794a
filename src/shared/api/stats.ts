// Statistics about the tasks of a project, for the charts of its dashboard.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idOf, idParam, numberParam, optionalLine } from '../fields.ts';
import { taskStatuses } from '../task-status.ts';
import { inProject } from './projects.ts';

const count = z.number().int().min(0);
const seconds = z.number().min(0);

const dayStats = z.object({
  /** The day in the requested time zone: `2026-11-21`. */
  day: z.iso.date(),
  /** The number of tasks that ended on this day, by their status. */
  success: count,
  error: count,
  stopped: count,
});
export type DayStats = z.output<typeof dayStats>;

const slowTemplate = z.object({
  template_id: id,
  name: z.string(),
  median_s: seconds,
  /** The number of successful tasks behind the median. */
  runs: count,
});

const projectStats = z.object({
  time_zone: z.string(),
  /** The days, the oldest first; today is the last. */
  days: z.array(dayStats),
  /** The median of the successful tasks of these days, of at most the newest 5,000; null when there are none. */
  median_s: seconds.nullable(),
  /** The templates whose successful tasks take longest, at most five. */
  slowest: z.array(slowTemplate),
});
export type ProjectStats = z.output<typeof projectStats>;

/** The default number of days. */
export const shownDays = 30;

const days = numberParam(90).default(shownDays);

const launches = z.object({
  /** A day in UTC on which tasks were launched. */
  date: z.iso.date(),
  /** How many of these have each status now. */
  count_by_status: z.partialRecord(z.enum(taskStatuses), count),
  /** In whole seconds, of those that have begun and ended; null when there are none. */
  avg_duration: count.nullable(),
});
export type Launches = z.output<typeof launches>;

const dayOrNone = z
  .union([z.literal(''), z.iso.date()])
  .optional()
  .transform((day) => day || null);

export const stats = {
  ofTemplate: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/templates/:template_id/stats',
    permission: 'member',
    forOthers: true,
    summary: 'The newest 10,000 tasks of a template by the day of their launch, the newest first',
    params: inProject.extend({ template_id: idOf('template.not_found') }),
    query: z.object({
      /** The first and the last day. */
      start: dayOrNone,
      end: dayOrNone,
      /** Only tasks that this user has launched. */
      user_id: idParam.optional(),
    }),
    reply: z.array(launches),
  }),
  ofProject: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/stats',
    permission: 'member',
    summary: 'How the runs of the last days went, and how long they took',
    params: inProject,
    query: z.object({
      days,
      /** The time zone of the days, such as `Europe/Berlin`. */
      time_zone: optionalLine(64).default('UTC'),
    }),
    reply: projectStats,
  }),
};
