import { z } from 'zod';
import { messageParams } from './coded-messages.ts';
import { crossCheck } from '../cross-check.ts';
import { withCompatFields } from '../compatible/forms.ts';
import { showTaskParams, shownTaskParams } from '../compatible/task-params.ts';
import { bulkIds, bulkResult } from './bulk.ts';
import { endpoint } from './endpoint.ts';
import { cronForms, newScheduleForms, readRunAt, scheduleForms } from '../compatible/schedules.ts';
import {
  id,
  idParam,
  initially,
  nullable,
  numberParam,
  optional,
  optionalId,
  using,
  optionalLine,
  switchBody,
  time,
} from '../fields.ts';
import { narrowing, newTaskParams, taskParams } from '../launch.ts';
import { newestFirstQuery, sortedQuery } from './page.ts';
import { refsEndpoint } from './references.ts';
import { resourceEndpoints } from './resource-endpoints.ts';
import { scheduleCalendar } from './schedule-calendar.ts';
import { checkTarget, startsQuery, startsSentence } from './starts.ts';

export const fireResults = ['checking', 'started', 'skipped', 'missed', 'failed'] as const;
export type FireResult = (typeof fireResults)[number];

const skipReasons = ['no_new_commits', 'previous_waiting', 'previous_unfinished'] as const;
export type SkipReason = (typeof skipReasons)[number];

export const missedRules = ['skip', 'run'] as const;
export type MissedRule = (typeof missedRules)[number];

/** `run_at` is due once; the others are due again and again, by their cron text. */
const scheduleTypes = ['', 'cron', 'run_at'] as const;

/** A due time of a schedule. */
const fire = z.object({
  id,
  schedule_id: id,
  due: time,
  /** When the server handled it. */
  noticed: time,
  /** `checking`: the repository is being checked for new commits. */
  result: z.enum(fireResults),
  reason: z.enum(skipReasons).nullable(),
  /** The launched task; null: none, or deleted. */
  task_id: id.nullable(),
  /** The launched run of a workflow; null: none, or deleted. */
  workflow_run_id: id.nullable(),
  /** The newest commit of the repository, if it was checked. */
  commit_hash: z.string().nullable(),
  /** The reason of a failure: a code with its parameters, and the sentence in English. */
  code: z.string().nullable(),
  params: messageParams,
  error: z.string().nullable(),
  /** The number of due times in this row; more than 1 only for old missed ones. */
  count: z.number().int(),
});
export type Fire = z.output<typeof fire>;

export const schedule = z.object({
  id,
  project_id: id,
  /** What it starts: a template or a workflow; the other one is null. */
  template_id: id.nullable(),
  tpl_name: z.string().nullable(),
  workflow_id: id.nullable(),
  workflow_name: z.string().nullable(),
  name: z.string(),
  type: z.enum(scheduleTypes),
  /** Empty for the type `run_at`. */
  cron_format: z.string(),
  /** For the type `run_at`; null for others. */
  run_at: z.iso.datetime().nullable(),
  /** Whether a schedule of the type `run_at` is deleted after its launch. */
  delete_after_run: z.boolean(),
  time_zone: z.string(),
  active: z.boolean(),
  /** Launches need new commits of this repository; null: they do not. */
  repository_id: id.nullable(),
  missed: z.enum(missedRules),
  /** Null: none. */
  task_params: taskParams.nullable(),
  /** Null: not active. Schedules of the type `run_at` are deactivated after their due time. */
  next_due: time.nullable(),
  last_fire: fire.nullable(),
});
export type Schedule = z.output<typeof schedule>;

/** The reply, which also has the fields of later versions of the API. */
const shownSchedule = withCompatFields(
  (one: Schedule) => showTaskParams(one),
  schedule.extend({ task_params: shownTaskParams.nullable() }),
);

const cron = optionalLine(255);
const zone = optionalLine(64);

const scheduleFields = z.object({
  /** Exactly one of both. */
  template_id: using('template.run', optionalId),
  workflow_id: using('workflow.run', optionalId),
  name: nullable(optionalLine(100)).transform((name) => name ?? ''),
  type: initially(z.enum(scheduleTypes), ''),
  /**
   * Minute, hour, day, month and weekday, optionally after `CRON_TZ=` and a time zone; a word such as `@hourly` or
   * `@daily`; or an interval such as `@every 1h30m`.
   */
  cron_format: initially(cron, ''),
  /** For the type `run_at`, in seconds resolution. */
  run_at: readRunAt,
  delete_after_run: initially(z.boolean(), false),
  repository_id: using('repository.use', optionalId),
  /**
   * A change without these keeps their values, except `active`: only a schedule with a repository, or one whose change
   * has no field of later versions, stays active. A new schedule has the server's time zone, and is inactive by default
   * unless it has no field of later versions.
   */
  time_zone: optional(zone),
  active: optional(z.boolean()),
  /** What to do about missed due times: nothing, or one launch for all of them. */
  missed: optional(z.enum(missedRules)),
  /** Only for a template: nodes of workflows have their own options. */
  task_params: newTaskParams.nullish(),
});

export const newSchedule = crossCheck(scheduleFields, (check) => {
  check(
    ['template_id', 'workflow_id'],
    ({ template_id: template, workflow_id: workflow }, refuse) => {
      if (template === null && workflow === null) refuse('template_id', 'field.required');
    },
  );
  checkTarget(check);
  check(['type', 'run_at'], ({ type, run_at: once }, refuse) => {
    if (type === 'run_at' && once === null) refuse('run_at', 'field.required');
  });
  check(['type', 'cron_format'], ({ type, cron_format: cronText }, refuse) => {
    if (type !== 'run_at' && cronText === '') refuse('cron_format', 'field.required');
  });
});
export type NewSchedule = z.output<typeof newSchedule>;

const cronQuestion = z.object({
  cron_format: cron.min(1, { error: 'field.required' }),
  time_zone: optional(zone),
  count: z.number().int().min(1).max(50).default(5),
});
export type CronQuestion = z.output<typeof cronQuestion>;

const cronAnswer = z.object({ next: z.array(time), time_zone: z.string() });
export type CronAnswer = z.output<typeof cronAnswer>;

const sorted = sortedQuery(['name', 'id', 'next_due']);

export const schedules = {
  ...resourceEndpoints('/api/project/:project_id/schedules', 'schedule', {
    permission: 'schedule.edit',
    createdFor: true,
    summaries: {
      list: `The schedules of the project, each with what became of it last: ${startsSentence}; by \`next_due\`, those that are not active come last`,
      create: 'Add a schedule',
      one: 'One schedule',
      update: 'Change a schedule',
      remove: 'Delete a schedule; its tasks and runs stay',
    },
    query: sorted.extend({
      ...startsQuery.shape,
      template_id: idParam.optional(),
      workflow_id: idParam.optional(),
    }),
    body: newSchedule,
    forms: newScheduleForms,
    changeForms: scheduleForms,
    kept: narrowing,
    reply: shownSchedule,
    refuses: {
      create: ['request.stale', 'task.field_not_allowed', 'task.field_not_supported'],
      update: ['task.field_not_allowed', 'task.field_not_supported'],
    },
  }),
  ofTemplate: endpoint.get('/api/project/:project_id/templates/:template_id/schedules', {
    permission: 'member',
    summary: "A template's own schedules: without a name, or asking a repository for new commits",
    query: sorted,
    reply: z.array(shownSchedule),
  }),
  calendar: endpoint.get('/api/project/:project_id/schedules/calendar', {
    permission: 'member',
    summary:
      'What became of the due times of schedules in a range of days, and when they are due next: `from` a day of the time zone, today unless given',
    query: z.object({
      from: z.iso.date().optional(),
      days: numberParam(8).default(7),
      /** For example `Europe/Berlin`. */
      time_zone: optionalLine(64).default('UTC'),
    }),
    reply: scheduleCalendar,
  }),
  validate: endpoint.post('/api/project/:project_id/schedules/validate', {
    permission: 'schedule.edit',
    summary: 'When a cron text is due next, or what is wrong with it',
    body: cronQuestion,
    forms: cronForms,
    reply: cronAnswer,
  }),
  refs: refsEndpoint('/api/project/:project_id/schedules/:schedule_id', 'a schedule: nothing does'),
  switch: endpoint.put('/api/project/:project_id/schedules/:schedule_id/active', {
    permission: 'schedule.edit',
    summary: 'Switch a schedule on or off',
    body: switchBody,
  }),
  bulk: endpoint.post('/api/project/:project_id/schedules/bulk', {
    permission: 'schedule.edit',
    summary: 'Pause, enable or delete up to 500 schedules; the reply has the result of each',
    body: z.strictObject({
      action: z.enum(['pause', 'enable', 'delete']),
      ids: using('schedule.edit', bulkIds),
    }),
    reply: z.array(bulkResult),
  }),
  fires: endpoint.get('/api/project/:project_id/schedules/:schedule_id/fires', {
    permission: 'member',
    summary: 'What became of the due times of a schedule, newest first; 200 unless `limit` says so',
    query: newestFirstQuery,
    reply: z.array(fire),
  }),
};
