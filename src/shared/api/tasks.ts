import { z } from 'zod';
import { compatOnly, withCompatFields } from '../compatible/forms.ts';
import { taskStates, taskStatuses } from '../task-status.ts';
import { launchForms, paramsOf, shownParams, templateOnlyFields } from '../compatible/tasks.ts';
import { endpoint } from './endpoint.ts';
import {
  id,
  idParam,
  jsonObjectText,
  nullable,
  optionalId,
  optionalLine,
  secret,
  time,
  timeParam,
  using,
} from '../fields.ts';
import { executionKinds } from './execution-environments.ts';
import { launchFields } from '../launch.ts';
import { launcher } from './launcher.ts';
import { newestFirstQuery, searching, searchText } from './page.ts';
import { launchRefusals } from './refusals.ts';
import { hostCounts, resultCounts, runResultEndpoints, shownFailure } from './run-results.ts';
import { taskEndEndpoints } from './task-ends.ts';
import { shownReason, taskFailure } from './coded-messages.ts';
import { taskChangeEndpoints, taskTools } from './task-changes.ts';
import { outputEndpoints } from './task-outputs.ts';
import { planCounts, planEndpoints } from './task-plan.ts';
import { logEndpoints } from './task-log.ts';

const count = z.number().int().min(0);

export const taskProgress = z.object({
  play: z.string(),
  task: z.string(),
  /** The number of Ansible tasks that have begun, including the current one. */
  tasks: count,
  /** The number of hosts of the play by result. */
  ok: count,
  changed: count,
  failed: count,
  unreachable: count,
});
export type TaskProgress = z.output<typeof taskProgress>;

/** The number of Ansible tasks of a host by result. */
export const hostResult = z.object({ host: z.string(), ...resultCounts });
export type HostResult = z.output<typeof hostResult>;

/** The hosts to which a task is restricted: the first names, and the number of all. */
export const onlyHosts = z.object({
  names: z.array(z.string()),
  count,
});
export type OnlyHosts = z.output<typeof onlyHosts>;

const plainTask = z.object({
  id,
  project_id: id,
  template_id: id,
  status: z.enum(taskStatuses),
  created: time,
  /** When a runner began with its preparation, before its program. Null: it waits. */
  start: time.nullable(),
  end: time.nullable(),
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  /** The integration that launched the task; null: none. */
  integration_id: id.nullable(),
  /** The schedule that launched the task, even a deleted one; null: none. */
  schedule_id: id.nullable(),
  /** What launched the task; null: a user did. */
  launcher: launcher.nullable(),
  message: z.string(),
  version: z.string().nullable(),
  build_task_id: id.nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string(),
  /** The answers to the survey without secret ones, as a JSON object. */
  environment: z.string(),
  /** The variables of the secret answers; empty for tasks from before these were recorded. */
  secret_answers: z.array(z.string()),
  /** Always empty. */
  ...compatOnly({ secret: z.literal('') }),
  debug: z.boolean(),
  /** The number of `v` in Ansible's option with `debug`; 0: four. */
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
  /** The execution environment that the launch chose, even a deleted one; null: that of the template or project. */
  execution_environment_id: id.nullable(),
  execution_kind: z.enum(executionKinds),
  confirmed_by: id.nullable(),
  confirmed_at: time.nullable(),
  /** The shell commands of the task with masked secrets; the last one runs now or ran last. */
  commands: z.array(z.string()),
  /** The name of the server that runs the task; empty before it begins. */
  runner_name: z.string(),
  ...compatOnly({ used_runner_id: id.nullable() }),
  tpl_alias: z.string(),
  tpl_type: z.string(),
  tpl_app: z.string(),
  tpl_playbook: z.string(),
  /** The first attempt of a retry; null: not a retry. */
  retry_of: id.nullable(),
  /** The task that this one runs again on some of its hosts; null: none. */
  rerun_of: id.nullable(),
  /** The run of a workflow with the task; null: none. */
  workflow_run_id: id.nullable(),
  /** Null: only the limit applies. */
  only_hosts: onlyHosts.nullable(),
  /** The number of this attempt, and the limit of attempts. */
  attempt: z.number().int(),
  attempts: z.number().int(),
  /** The earliest start of a retry. */
  not_before: time.nullable(),
  /** The number of stored lines. */
  log_lines: z.number().int(),
  /** Whether the log was removed because of the limit of all logs. */
  log_removed: z.boolean(),
  /** The expected duration in seconds, from the last successful tasks; null: unknown. */
  expected_s: z.number().int().nullable(),
  /** Null: the program does not report progress. */
  progress: taskProgress.nullable(),
  /** The number of resources in its plan by action; null: no plan, or it could not be parsed. */
  plan: planCounts.nullable(),
  /** The exit code of the last command; null: none has ended. */
  exit_code: z.number().int().nullable(),
  /** Why the task failed, or a remark on a success, such as that it ran on no host. */
  failure: taskFailure.nullable(),
  /** Why its plan must be confirmed although it was approved. */
  confirmation_reason: shownReason.nullable(),
});
export type PlainTask = z.output<typeof plainTask>;

export const waitingReasons = [
  'retry',
  'template',
  'project',
  'server',
  'runner',
  /** No runner that the task can use has podman or docker. */
  'container_engine',
  /** No runner that the task can use is of a version that knows its execution environment. */
  'old_runner',
  'kubernetes_runner',
  'disk',
] as const;

/** Why a waiting task does not start; null: it is about to start, or does not wait. */
export const waitingFor = z
  .object({
    reason: z.enum(waitingReasons),
    /** The task of the same template that has to end first; null: none. */
    task_id: id.nullable(),
    /** The limit of the project or server that was reached. */
    limit: z.number().int().nullable(),
    /** The time of the next attempt. */
    until: time.nullable(),
    /**
     * The required tags, if no runner has all of them. Empty: all runners have tags, and the task requires none. Null:
     * there is no runner, or tags are not the reason.
     */
    tags: z.array(z.string()).nullable(),
  })
  .nullable();

export const task = plainTask.extend({
  build_task: plainTask.nullable(),
  waiting_for: waitingFor,
});
export type Task = z.output<typeof task>;

/** Unknown fields are refused, because they may have been meant to restrict the launch. */
export const newTask = z.strictObject({
  ...launchFields,
  template_id: using('template.run', id),
  /** The answers to secret survey variables: stored sealed, for this task only, and write-only. */
  secret: nullable(secret(jsonObjectText)).transform((text) => text ?? '{}'),
  playbook: nullable(optionalLine(255)),
  /** For a deploy: the successful build task that it deploys. */
  build_task_id: optionalId,
  ...templateOnlyFields,
  /** The commit of an earlier task of this template to run instead of the newest one. */
  commit_hash: nullable(z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})?$/)),
});
export type NewTask = z.output<typeof newTask>;

/** The reply, which also has the fields of later versions of the API. */
const shownTask = withCompatFields(
  (one: Task) => ({ ...one, params: paramsOf(one) }),
  task.extend(compatOnly({ params: shownParams })),
);

export const usedResource = z.object({
  /** Null: unknown. */
  id: id.nullable(),
  /** Null: deleted. */
  name: z.string().nullable(),
});

/** The effective options of a task, from its launch, its template or its repository. */
const launchedWith = z.object({
  inventory: usedResource.nullable(),
  /** In their order; the last value of a variable wins. */
  environments: z.array(usedResource),
  /** As at the launch, even a deleted one, with its number for whoever does not see it; null: the programs of the runner. */
  execution_environment: z
    .object({ id, name: z.string(), kind: z.enum(executionKinds) })
    .nullable(),
  branch: z.string(),
  limit: z.string(),
  tags: z.string(),
  skip_tags: z.string(),
  arguments: z.array(z.string()),
});
export type LaunchedWith = z.output<typeof launchedWith>;

const wholeTask = task.extend({
  /** The number of hosts by their most severe result; null: not reported. */
  host_counts: hostCounts.nullable(),
  launched_with: launchedWith,
  /** The versions of its programs and requirements, and the image of its container; null: not reported. */
  tools: taskTools.nullable(),
  /** The number of Ansible tasks of the last successful run of its template; null: unknown, or it has ended. */
  expected_tasks: count.nullable(),
  /** When it is stopped unless it is confirmed; null: never, or no confirmation is required. */
  confirm_until: time.nullable(),
  /** The number of known hosts of the inventory of a task that waits for a confirmation; null: unknown, or it does not wait. */
  inventory_hosts: count.nullable(),
  /** The failures of the run by cause; empty: none, or not reported. */
  failures: z.array(shownFailure),
});
export type WholeTask = z.output<typeof wholeTask>;
const shownWholeTask = withCompatFields(
  (one: WholeTask) => ({ ...one, params: paramsOf(one) }),
  wholeTask.extend(compatOnly({ params: shownParams })),
);

const hostGroups = ['failed', 'unreachable', 'failed_or_unreachable'] as const;

/** Hosts of an earlier task: by result, or by name. */
const hostChoice = z.union([
  z.enum(hostGroups),
  z.array(z.string().min(1).max(250)).min(1).max(20_000),
]);
export type HostChoice = z.output<typeof hostChoice>;

const filter = {
  status: z.enum(taskStatuses).optional(),
  state: z.enum(taskStates).optional(),
  template_id: idParam.optional(),
  user_id: idParam.optional(),
  /** Only tasks that have not ended before this time. */
  from: timeParam.optional(),
  /** Only tasks that ended before this time. */
  to: timeParam.optional(),
  /** Searched in message, template, version, user and commit. */
  q: searchText,
};
/** Clients of other versions send the length of a page as `count`. */
const listQuery = newestFirstQuery.extend({
  ...filter,
  ...compatOnly({ count: newestFirstQuery.shape.limit }),
});

const taskCount = z.object({
  count,
  /** False: the count ends after 100,000 tasks, or with `q` after searching 50,000. */
  is_whole: z.boolean(),
});
export type TaskCount = z.output<typeof taskCount>;

export const tasks = {
  list: endpoint.get('/api/project/:project_id/tasks', {
    permission: 'member',
    summary:
      'The tasks of the project, newest first, 400 unless `limit` says otherwise. ' + searching,
    query: listQuery,
    reply: z.array(shownTask),
  }),
  count: endpoint.get('/api/project/:project_id/tasks/count', {
    permission: 'member',
    summary: 'How many tasks of the project match a filter',
    query: z.object(filter),
    reply: taskCount,
  }),
  last: endpoint.get('/api/project/:project_id/tasks/last', {
    permission: 'member',
    summary: 'The newest tasks of the project, 200 unless `limit` says otherwise',
    query: listQuery,
    reply: z.array(shownTask),
  }),
  ofTemplate: endpoint.get('/api/project/:project_id/templates/:template_id/tasks', {
    permission: 'member',
    summary:
      'The tasks of a template, newest first, 400 unless `limit` says otherwise. ' + searching,
    query: listQuery.omit({ template_id: true }),
    reply: z.array(shownTask),
  }),
  lastOfTemplate: endpoint.get('/api/project/:project_id/templates/:template_id/tasks/last', {
    permission: 'member',
    summary: 'The newest tasks of a template, 200 unless `limit` says otherwise',
    query: listQuery.omit({ template_id: true }),
    reply: z.array(shownTask),
  }),
  start: endpoint.post('/api/project/:project_id/tasks', {
    permission: 'template.run',
    summary: 'Launch a task from a template',
    body: newTask,
    forms: launchForms(Object.keys(newTask.shape), Object.keys(wholeTask.shape)),
    reply: shownTask,
    status: 201,
    refuses: [...launchRefusals, 'template.not_found'],
  }),
  one: endpoint.get('/api/project/:project_id/tasks/:task_id', {
    permission: 'member',
    summary: 'One task, with what it was launched with, the numbers of its hosts and its failures',
    reply: shownWholeTask,
  }),
  ...logEndpoints,
  ...runResultEndpoints,
  ...taskChangeEndpoints,
  ...planEndpoints,
  ...outputEndpoints,
  ...taskEndEndpoints,
  restart: endpoint.post('/api/project/:project_id/tasks/:task_id/restart', {
    permission: 'task.restart',
    summary:
      'Launch a task with the options of an earlier one. Secret answers are not kept, so a template that requires some refuses it',
    reply: shownTask,
    status: 201,
    refuses: [...launchRefusals, 'template.not_found', 'task.secrets_gone', 'secret.not_opened'],
  }),
  runAgain: endpoint.post('/api/project/:project_id/tasks/:task_id/run_again', {
    permission: 'task.restart',
    bodyLimit: 8 * 1024 * 1024,
    summary:
      'Launch a finished task of Ansible again, with all that it ran, on some of the hosts that it named',
    body: z.strictObject({ hosts: hostChoice }),
    reply: shownTask,
    status: 201,
    refuses: [
      ...launchRefusals,
      'template.not_found',
      'task.wrong_status',
      'task.no_such_hosts',
      'task.host_not_named',
      'task.host_not_selectable',
      'task.secrets_gone',
      'secret.not_opened',
    ],
  }),
};
