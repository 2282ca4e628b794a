// The overview of all projects of a user.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, numberParam, time } from '../fields.ts';
import { launcher } from './launcher.ts';
import { taskStatuses } from '../task-status.ts';
import { searchText } from './page.ts';
import { dayStats, timeZoneParam } from './stats.ts';
import { shownReason, taskFailure } from './coded-messages.ts';
import { planCounts } from './task-plan.ts';
import { onlyHosts, usedResource } from './tasks.ts';
import { waitingApproval } from './workflow-runs.ts';

const ofProjects = z.object({
  project_id: id,
  project_name: z.string(),
  template_id: id,
  template_name: z.string(),
  /** `build`, `deploy`, or empty for other templates. */
  template_type: z.string(),
});

const overviewTask = ofProjects.extend({
  id,
  status: z.enum(taskStatuses),
  dry_run: z.boolean(),
  message: z.string(),
  user_name: z.string().nullable(),
  /** What launched the task; null: a user did. */
  launcher: launcher.nullable(),
  created: time,
  start: time.nullable(),
  end: time.nullable(),
});
export type OverviewTask = z.output<typeof overviewTask>;

export const MAX_SHOWN_ANSWERS_LENGTH = 4000;

/** A task that waits for a confirmation, with what it will do. */
const waitingTask = overviewTask.extend({
  /** Its version, or that of the build that it deploys. */
  version: z.string().nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string(),
  /** The answers to the survey without secret ones, as a JSON object; `{}` above 4,000 characters. */
  environment: z.string(),
  /** The variables of the secret answers. */
  secret_answers: z.array(z.string()),
  launched_with: z.object({
    inventory: usedResource.nullable(),
    branch: z.string(),
    limit: z.string(),
  }),
  only_hosts: onlyHosts.nullable(),
  /** The number of known hosts of its inventory; null: unknown. */
  inventory_hosts: z.number().int().min(0).nullable(),
  plan: planCounts.nullable(),
  /** Why its plan must be confirmed although it was approved. */
  confirmation_reason: shownReason.nullable(),
  /** When it is stopped unless it is confirmed; null: never. */
  confirm_until: time.nullable(),
});
export type WaitingTask = z.output<typeof waitingTask>;

export const MAX_OVERVIEW_TASKS = 50;

export const overviewDays = 7;

const overviewOfTasks = z.object({
  /** Tasks that the caller may confirm, oldest first. */
  to_confirm: z.array(waitingTask),
  /** All other unfinished tasks, running ones first. */
  active: z.array(overviewTask),
  /** The failed tasks of seven days, newest first. */
  failed: z.array(overviewTask),
});
export type OverviewOfTasks = z.output<typeof overviewOfTasks>;

const pin = ofProjects.extend({
  /** Whether the caller may launch the template. */
  may_run: z.boolean(),
  /** Null: no task yet. */
  last_task: z
    .object({
      id,
      status: z.enum(taskStatuses),
      dry_run: z.boolean(),
      failure: taskFailure.nullable(),
      created: time,
      end: time.nullable(),
    })
    .nullable(),
});
export type Pin = z.output<typeof pin>;

const lastTask = overviewTask.pick({
  id: true,
  template_id: true,
  template_name: true,
  status: true,
  dry_run: true,
  created: true,
  start: true,
  end: true,
});

const projectOverview = z.object({
  project_id: id,
  name: z.string(),
  /** Null: no task yet. */
  last_task: lastTask.nullable(),
  /** The number of unfinished tasks. */
  active: z.number().int().min(0),
  /** How many of them wait for a confirmation. */
  to_confirm: z.number().int().min(0),
  /** Fourteen days, oldest first; today is the last. */
  days: z.array(dayStats),
});
export type ProjectOverview = z.output<typeof projectOverview>;

export const overviewStripDays = 14;
export const MAX_OVERVIEW_PROJECTS = 100;

const overviewOfProjects = z.object({
  /** The projects with the newest tasks first, at most 100. */
  projects: z.array(projectOverview),
  /** The number of projects of the caller. */
  total: z.number().int().min(0),
});
export type OverviewOfProjects = z.output<typeof overviewOfProjects>;

const searchResults = z.object({
  templates: z.array(ofProjects.extend({ may_run: z.boolean() })),
  /** The task with this number, and the newest tasks with a matching text. */
  tasks: z.array(overviewTask),
  hosts: z.array(z.object({ project_id: id, project_name: z.string(), name: z.string() })),
});
export type SearchResults = z.output<typeof searchResults>;

export const MAX_SEARCH_RESULTS = { templates: 200, tasks: 20, hosts: 20 };

/** Without a project, of all projects of the caller. */
const ofOneProject = z.object({ project_id: numberParam().optional() });

export const overview = {
  tasks: endpoint.get('/api/user/overview', {
    permission: 'user',
    projectTokens: true,
    summary:
      'What runs, has failed lately or waits for the caller in all projects of the caller, or in one of them, at most 50 tasks each',
    query: ofOneProject,
    reply: overviewOfTasks,
  }),
  projects: endpoint.get('/api/user/overview/projects', {
    permission: 'user',
    projectTokens: true,
    summary:
      'The projects of the caller with their last task, their unfinished tasks and the runs of fourteen days, at most 100',
    query: z.object({ time_zone: timeZoneParam }),
    reply: overviewOfProjects,
  }),
  approvals: endpoint.get('/api/user/approvals', {
    permission: 'user',
    projectTokens: true,
    summary:
      'The approvals that the caller may decide in all projects, or in one of them, the oldest 50',
    query: ofOneProject,
    reply: z.array(waitingApproval),
  }),
  search: endpoint.get('/api/user/search', {
    permission: 'user',
    projectTokens: true,
    summary:
      'Templates and hosts by name, and tasks by number (`#57`) or a text among the newest 5,000, in all projects of the caller',
    query: z.object({ q: searchText }),
    reply: searchResults,
  }),
  pins: endpoint.get('/api/user/pins', {
    permission: 'user',
    projectTokens: true,
    summary: 'The templates that the caller has pinned, by project and name',
    reply: z.array(pin),
  }),
  pin: endpoint.put('/api/project/:project_id/templates/:template_id/pin', {
    permission: 'member',
    summary: 'Pin a template for the caller',
  }),
  unpin: endpoint.delete('/api/project/:project_id/templates/:template_id/pin', {
    permission: 'member',
    summary: 'Unpin a template for the caller',
  }),
};
