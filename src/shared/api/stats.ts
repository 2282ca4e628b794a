// Statistics about the tasks of a project, for the charts of its dashboard.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, optionalLine } from '../fields.ts';
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

const days = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,2}$/)
        .transform(Number),
    ],
    { error: 'field.integer' },
  )
  .pipe(z.number().int().min(1).max(90))
  .default(shownDays);

export const stats = {
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
