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
  /** The number of Ansible tasks that have begun, including this one. */
  tasks: count,
  /** The number of hosts of the play. */
  ok: count,
  changed: count,
  failed: count,
  unreachable: count,
});
export type TaskProgress = z.output<typeof taskProgress>;

/** The results of one host: the number of Ansible tasks by their result. */
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
  /** The integration that launched the task; null for none. */
  integration_id: id.nullable(),
  /** The schedule that launched the task, even if the schedule has been deleted since; null for none. */
  schedule_id: id.nullable(),
  message: z.string(),
  version: z.string().nullable(),
  build_task_id: id.nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string(),
  /** The answers to the survey without secret ones: the text of a JSON object. */
  environment: z.string(),
  /** Always empty. */
  secret: z.literal(''),
  debug: z.boolean(),
  /** With `debug`: the number of `v` in the option of Ansible; 0 means four. */
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
  /** The commands of the task as one would type them, with secrets hidden; the last one runs now or ran last. */
  commands: z.array(z.string()),
  /** The name of the server that runs or has run the task; empty before it begins. */
  runner_name: z.string(),
  tpl_alias: z.string(),
  tpl_type: z.string(),
  tpl_app: z.string(),
  tpl_playbook: z.string(),
  /** The first attempt, if this task is a retry; null otherwise. */
  retry_of: id.nullable(),
  /** The number of this attempt, and the most attempts there can be. */
  attempt: z.number().int(),
  attempts: z.number().int(),
  /** The earliest time at which a retry begins. */
  not_before: time.nullable(),
  /** The number of lines stored so far. */
  log_lines: z.number().int(),
  /** Whether the log was removed to limit the space of all logs. */
  log_removed: z.boolean(),
  /** The expected duration in seconds, from the last successful tasks; null when there are none. */
  expected_s: z.number().int().nullable(),
  /** What the task does now, or did last; null when its program does not report it. */
  progress: taskProgress.nullable(),
});
export type PlainTask = z.output<typeof plainTask>;

const waitingReasons = ['retry', 'template', 'project', 'server', 'runner'] as const;

/** Why a waiting task does not start; null when it is about to start, or does not wait. */
export const waitingFor = z
  .object({
    reason: z.enum(waitingReasons),
    /** The task of the same template that has to end first; null for none. */
    task_id: id.nullable(),
    /** The limit of the project or of the server that has been reached. */
    limit: z.number().int().nullable(),
    /** The time of the next attempt. */
    until: time.nullable(),
    /**
     * The required tags, when no present runner has all of them. An empty list: all runners have tags,
     * and the task requires none. Null: there is no runner, or tags are not the reason.
     */
    tags: z.array(z.string()).nullable(),
  })
  .nullable();

export const task = plainTask.extend({
  /** The build that a deploy deploys. */
  build_task: plainTask.nullable(),
  waiting_for: waitingFor,
});
export type Task = z.output<typeof task>;

/** An unknown field is refused and not dropped, because it could have been meant to limit the launch. */
export const newTask = z.strictObject({
  ...launchFields,
  template_id: id,
  /** The answers to secret survey variables: stored sealed, used for this task only, never answered. */
  secret: nullable(secret(jsonObjectText)).transform((text) => text ?? '{}'),
  playbook: nullable(optionalLine(255)),
  /** For a deploy: the successful build task that it deploys. */
  build_task_id: nullable(id),
  /** The commit to run instead of the newest one: the commit of an earlier task of this template. */
  commit_hash: nullable(z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})?$/)),
});
export type NewTask = z.output<typeof newTask>;

/** The reply, which also has the fields of later versions of the API. */
const shownTask = task
  .transform((one) => ({ ...one, params: paramsOf(one) }))
  .pipe(task.extend({ params: shownParams }));

/** A stop; with `force` the programs are ended at once. */
const stopping = z.strictObject({ force: initially(z.boolean(), false) });

const params = inProject.extend({ task_id: idParam });
const ofTemplate = inProject.extend({ template_id: idParam });
const listQuery = newestFirstQuery.extend({
  status: z.enum(taskStatuses).optional(),
  /** Only unfinished tasks, or only finished ones. */
  state: z.enum(taskStates).optional(),
  template_id: idParam.optional(),
  user_id: idParam.optional(),
  /** A text to search for in message, template, version, user and commit. */
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
  reject: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/tasks/:task_id/reject',
    permission: 'run_tasks',
    summary: 'Stop a task that waits for a confirmation; refused in every other state',
    params,
  }),
  restart: endpoint({
    method: 'POST',
    path: '/api/project/:project_id/tasks/:task_id/restart',
    permission: 'run_tasks',
    summary:
      'Launch a task with the options of an earlier one. Secret answers are not kept, so a template that requires some refuses it',
    params,
    reply: shownTask,
    status: 201,
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
