// Statistics of the tasks of a project, for the charts of its dashboard.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idParam, numberParam, optionalLine } from '../fields.ts';
import { taskStatuses } from '../task-status.ts';

const count = z.number().int().min(0);
const seconds = z.number().min(0);

const dayStats = z.object({
  /** In the requested time zone: `2026-11-21`. */
  day: z.iso.date(),
  /** The number of tasks that ended on this day, by status. */
  success: count,
  error: count,
  stopped: count,
});
export type DayStats = z.output<typeof dayStats>;

const slowTemplate = z.object({
  template_id: id,
  name: z.string(),
  median_s: seconds,
  runs: count,
});

const projectStats = z.object({
  time_zone: z.string(),
  /** Oldest first; today is the last. */
  days: z.array(dayStats),
  /** The median of the successful tasks of these days, at most the newest 5,000; null: none. */
  median_s: seconds.nullable(),
  /** The templates with the longest successful tasks, at most five. */
  slowest: z.array(slowTemplate),
});
export type ProjectStats = z.output<typeof projectStats>;

export const shownDays = 30;

const days = numberParam(90).default(shownDays);

const launches = z.object({
  /** The day of the launches in UTC. */
  date: z.iso.date(),
  /** The number of these tasks by their current status. */
  count_by_status: z.partialRecord(z.enum(taskStatuses), count),
  /** In whole seconds, of ended tasks; null: none. */
  avg_duration: count.nullable(),
});
export type Launches = z.output<typeof launches>;

const dayOrNone = z
  .union([z.literal(''), z.iso.date()])
  .optional()
  .transform((day) => day || null);

export const stats = {
  ofTemplate: endpoint.get('/api/project/:project_id/templates/:template_id/stats', {
    permission: 'member',
    forOthers: true,
    summary: 'The newest 10,000 tasks of a template by the day of their launch, the newest first',
    query: z.object({
      /** The first and the last day. */
      start: dayOrNone,
      end: dayOrNone,
      user_id: idParam.optional(),
    }),
    reply: z.array(launches),
  }),
  ofProject: endpoint.get('/api/project/:project_id/stats', {
    permission: 'member',
    summary: 'How the runs of the last days went, and how long they took',
    query: z.object({
      days,
      /** For example `Europe/Berlin`. */
      time_zone: optionalLine(64).default('UTC'),
    }),
    reply: projectStats,
  }),
};
