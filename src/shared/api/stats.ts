// Statistics of the tasks of a project, for the charts of its dashboard.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { deployBoard } from './deployments.ts';
import { id, idParam, numberParam, optionalLine, time } from '../fields.ts';
import { taskStatuses } from '../task-status.ts';

const count = z.number().int().min(0);
const seconds = z.number().min(0);

export const dayStats = z.object({
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

const failingTemplate = z.object({
  template_id: id,
  name: z.string(),
  failed: count,
});

const failingHost = z.object({
  host: z.string(),
  /** The number of failed tasks in which the host failed or was unreachable. */
  failed: count,
});

const projectStats = z.object({
  time_zone: z.string(),
  /** Oldest first; today is the last. */
  days: z.array(dayStats),
  /** The median of the successful tasks of these days, at most the newest 5,000; null: none. */
  median_s: seconds.nullable(),
  /** The same of each of the days, of its newest 100 tasks. */
  day_median_s: z.array(seconds.nullable()),
  /** From launch to start, of the newest 1,000 tasks if launched in these days; null: none. */
  wait: z.object({ median_s: seconds, p95_s: seconds }).nullable(),
  /** The templates with the most of the newest 5,000 failed tasks of these days, at most five. */
  failing_templates: z.array(failingTemplate),
  /** The hosts that failed most in the newest 100 failed tasks of these days, at most five. */
  failing_hosts: z.array(failingHost),
  /** The templates with the longest successful tasks, at most five. */
  slowest: z.array(slowTemplate),
});
export type ProjectStats = z.output<typeof projectStats>;

export const shownDays = 30;
/** The ranges of days that the dashboard offers. */
export const dayRanges = [7, shownDays, 90] as const;

const days = numberParam(90).default(shownDays);

/** For example `Europe/Berlin`. */
export const timeZoneParam = optionalLine(64).default('UTC');

const launches = z.object({
  /** The day of the launches in UTC. */
  date: z.iso.date(),
  /** The number of these tasks by their current status. */
  count_by_status: z.partialRecord(z.enum(taskStatuses), count),
  /** In whole seconds, of ended tasks; null: none. */
  avg_duration: count.nullable(),
});
export type Launches = z.output<typeof launches>;

/** The runs of a template at a glance. */
export const MAX_LAST_RUNS = 20;
export const MAX_LAST_RUNS_TEMPLATES = 100;

const lastRun = z.object({
  /** Of the task. */
  id,
  status: z.enum(taskStatuses),
  created: time,
  /** Until now for a running task; null: not started. */
  duration_s: seconds.nullable(),
});

const lastRuns = z.object({
  template_id: id,
  /** Oldest first, without dry runs. */
  runs: z.array(lastRun),
  /** The median of the successful ones; null: none. */
  median_s: seconds.nullable(),
  /** The share of successful ones among those that succeeded or failed; null: none. */
  success_rate: z.number().min(0).max(1).nullable(),
  /** When a schedule launches it next; null: none does. */
  next_run: time.nullable(),
});
export type LastRuns = z.output<typeof lastRuns>;

const templateIds = z
  .string()
  .regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/)
  .transform((text) => text.split(',').map(Number))
  .refine((ids) => ids.length <= MAX_LAST_RUNS_TEMPLATES);

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
  lastRuns: endpoint.get('/api/project/:project_id/stats/last_runs', {
    permission: 'member',
    summary:
      'The last 20 runs of at most 100 templates, with median, success rate and next scheduled run',
    query: z.object({
      /**
       * The ids of the templates, with commas between them; those of other projects are left out.
       * Without it: the oldest 100 of the project.
       */
      templates: templateIds.optional(),
    }),
    reply: z.object({ templates: z.array(lastRuns) }),
  }),
  deployments: endpoint.get('/api/project/:project_id/stats/deployments', {
    permission: 'member',
    summary:
      'Which build each deploy template has deployed, of the newest 20 tasks of at most 100 deploy templates',
    query: z.object({
      /** Only of this build template. */
      build_template_id: idParam.optional(),
    }),
    reply: z.object({ boards: z.array(deployBoard) }),
  }),
  ofProject: endpoint.get('/api/project/:project_id/stats', {
    permission: 'member',
    summary: 'How the runs of the last days went, and how long they took',
    query: z.object({
      days,
      time_zone: timeZoneParam,
    }),
    reply: projectStats,
  }),
};
