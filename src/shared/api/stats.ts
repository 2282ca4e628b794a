// How the runs of a project went, for the pictures of its dashboard.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, optionalLine } from '../fields.ts';
import { inProject } from './projects.ts';

const count = z.number().int().min(0);
const seconds = z.number().min(0);

const dayStats = z.object({
  /** As the asked time zone has it: `2026-11-21`. */
  day: z.iso.date(),
  /** The tasks that ended on it, by how. */
  success: count,
  error: count,
  stopped: count,
});
export type DayStats = z.output<typeof dayStats>;

const slowTemplate = z.object({
  template_id: id,
  name: z.string(),
  median_s: seconds,
  /** Successful runs that this is the median of. */
  runs: count,
});

const projectStats = z.object({
  time_zone: z.string(),
  /** The oldest first; today is the last. */
  days: z.array(dayStats),
  /** Of the successful runs of these days, at most the newest 5,000; null: there are none. */
  median_s: seconds.nullable(),
  /** The templates whose successful runs take longest, at most five. */
  slowest: z.array(slowTemplate),
});
export type ProjectStats = z.output<typeof projectStats>;

/** How many days are counted unless the caller says otherwise. */
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
      /** By which a day begins and ends, like `Europe/Berlin`. */
      time_zone: optionalLine(64).default('UTC'),
    }),
    reply: projectStats,
  }),
};
