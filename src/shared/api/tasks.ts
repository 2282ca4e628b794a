import { z } from 'zod';
import { taskStates, taskStatuses } from '../task-status.ts';
import { launchForms, paramsOf, shownParams } from '../compatible/tasks.ts';
import { endpoint } from './endpoint.ts';
import {
  id,
  idParam,
  initially,
  jsonObjectText,
  nullable,
  optionalLine,
  secret,
  time,
} from '../fields.ts';
import { launchFields } from '../launch.ts';
import { newestFirstQuery, searching, searchText } from './page.ts';
import { inProject } from './projects.ts';
import { logEndpoints } from './task-log.ts';

const count = z.number().int().min(0);

export const taskProgress = z.object({
  play: z.string(),
  task: z.string(),
  /** Tasks of the playbook that have begun, this one with them. */
  tasks: count,
  /** Hosts of the play, each counted once. */
  ok: count,
  changed: count,
  failed: count,
  unreachable: count,
});
export type TaskProgress = z.output<typeof taskProgress>;

/** What became of a host: how many tasks of the playbook ended in which way. */
export const hostResult = z.object({
  host: z.string(),
  ok: count,
  changed: count,
  unreachable: count,
  failed: count,
  skipped: count,
  rescued: count,
  ignored: count,
});
export type HostResult = z.output<typeof hostResult>;

const plainTask = z.object({
  id,
  project_id: id,
  template_id: id,
  status: z.enum(taskStatuses),
  created: time,
  start: time.nullable(),
  end: time.nullable(),
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  /** The integration that launched it. */
  integration_id: id.nullable(),
  /** The schedule that launched it, also when that has been deleted since. */
  schedule_id: id.nullable(),
  message: z.string(),
  version: z.string().nullable(),
  build_task_id: id.nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string(),
  /** Answers to the survey: the text of a JSON object, without secret ones. */
  environment: z.string(),
  /** Always empty. */
  secret: z.literal(''),
  debug: z.boolean(),
  /** With `debug`: how many times Ansible was told to be more verbose; 0: four times. */
  debug_level: count,
  dry_run: z.boolean(),
  diff: z.boolean(),
  auto_approve: z.boolean(),
  playbook: z.string(),
  arguments: z.string().nullable(),
  git_branch: z.string().nullable(),
  limit: z.string(),
  tags: z.string(),
  skip_tags: z.string(),
  inventory_id: id.nullable(),
  confirmed_by: id.nullable(),
  confirmed_at: time.nullable(),
  /** What was run, as people would type it, with the secrets hidden; the last one runs or ran last. */
  commands: z.array(z.string()),
  /** The server that runs it, or has run it; empty: none has begun. */
  runner_name: z.string(),
  tpl_alias: z.string(),
  tpl_type: z.string(),
  tpl_app: z.string(),
  tpl_playbook: z.string(),
  /** The first of the tasks of which this one is a further attempt. */
  retry_of: id.nullable(),
  /** Which attempt this is, and how many there are at most. */
  attempt: z.number().int(),
  attempts: z.number().int(),
  /** Of a further attempt: it begins then at the earliest. */
  not_before: time.nullable(),
  /** Lines stored so far. */
  log_lines: z.number().int(),
  /** The log was removed to keep the space that logs take in bounds. */
  log_removed: z.boolean(),
  /** Seconds that it will take, as the last successful ones did; null: there is none. */
  expected_s: z.number().int().nullable(),
  /** What it does just now, or did last; null: its program does not tell. */
  progress: taskProgress.nullable(),
});
export type PlainTask = z.output<typeof plainTask>;

const waitingReasons = ['retry', 'template', 'project', 'server', 'runner'] as const;

/** Why a waiting task does not start; null: it is about to, or is not waiting. */
export const waitingFor = z
  .object({
    reason: z.enum(waitingReasons),
    /** The task of the same template that has to end first. */
    task_id: id.nullable(),
    /** The limit of the project or of the server that is reached. */
    limit: z.number().int().nullable(),
    /** The time of the next attempt. */
    until: time.nullable(),
    /**
     * Those that no runner which is there has all of. Empty: all of them have tags, and the task asks
     * for none. Null: there is no runner, or this is not the reason.
     */
    tags: z.array(z.string()).nullable(),
  })
  .nullable();

export const task = plainTask.extend({
  /** Of a deploy: what it deploys. */
  build_task: plainTask.nullable(),
  waiting_for: waitingFor,
});
export type Task = z.output<typeof task>;

/** Nothing that is not known is taken here: dropped, it could have been what narrows the launch. */
export const newTask = z.strictObject({
  ...launchFields,
  template_id: id,
  /** Answers to secret survey variables; sealed, used once, never returned. */
  secret: nullable(secret(jsonObjectText)).transform((text) => text ?? '{}'),
  playbook: nullable(optionalLine(255)),
  /** Of a deploy: the successful task whose result it deploys. */
  build_task_id: nullable(id),
  /** Run the commit of an earlier task of this template instead of the newest. */
  commit_hash: nullable(z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})?$/)),
});
export type NewTask = z.output<typeof newTask>;

/** As it is shown: in the form of later versions of the API too. */
const shownTask = task
  .transform((one) => ({ ...one, params: paramsOf(one) }))
  .pipe(task.extend({ params: shownParams }));

/** With `force` at once. */
const stopping = z.strictObject({ force: initially(z.boolean(), false) });

const params = inProject.extend({ task_id: idParam });
const ofTemplate = inProject.extend({ template_id: idParam });
const listQuery = newestFirstQuery.extend({
  status: z.enum(taskStatuses).optional(),
  /** Those that go on or wait, or those that have ended. */
  state: z.enum(taskStates).optional(),
  template_id: idParam.optional(),
  user_id: idParam.optional(),
  /** In message, template, version, user or commit. */
  q: searchText,
});

export const tasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks',
    permission: 'member',
    summary:
      'The tasks of the project, newest first, 400 unless `limit` says otherwise. ' + searching,
    params: inProject,
    query: listQuery,
    reply: z.array(shownTask),
  }),
  last: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/last',
    permission: 'member',
    summary: 'The newest tasks of the project, 200 unless `limit` says otherwise',
    params: inProject,
    query: listQuery,
    reply: z.array(shownTask),
  }),
  ofTemplate: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/templates/:template_id/tasks',
    permission: 'member',
    summary:
      'The tasks of a template, newest first, 400 unless `limit` says otherwise. ' + searching,
    params: ofTemplate,
    query: listQuery.omit({ template_id: true }),
    reply: z.array(shownTask),
  }),
  lastOfTemplate: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/templates/:template_id/tasks/last',
    permission: 'member',
    summary: 'The newest tasks of a template, 200 unless `limit` says otherwise',
    params: ofTemplate,
    query: listQuery.omit({ template_id: true }),
    reply: z.array(shownTask),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/tasks',
    permission: 'run_tasks',
    summary: 'Launch a task from a template',
    params: inProject,
    body: newTask,
    forms: launchForms(Object.keys(newTask.shape), Object.keys(task.shape)),
    reply: shownTask,
    status: 201,
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id',
    permission: 'member',
    summary: 'One task',
    params,
    reply: shownTask,
  }),
  ...logEndpoints,
  hosts: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/hosts',
    permission: 'member',
    summary: 'What became of each host; empty where the program has not told',
    params,
    reply: z.array(hostResult),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/project/:project_id/tasks/:task_id',
    permission: 'manage_resources',
    summary: 'Delete a finished task with its log',
    params,
  }),
  stopAll: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/templates/:template_id/stop_all_tasks',
    permission: 'run_tasks',
    summary: 'Stop all unfinished tasks of a template; with `force` at once',
    params: ofTemplate,
    body: stopping,
    optionalBody: true,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/tasks/:task_id/confirm',
    permission: 'run_tasks',
    summary: 'Confirm a task that waits for it',
    params,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/tasks/:task_id/stop',
    permission: 'run_tasks',
    summary: 'Stop a task; with `force` its processes are killed at once',
    params,
    body: stopping,
    optionalBody: true,
  }),
};
