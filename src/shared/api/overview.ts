// What a person sees of all their projects at once.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idOf, time } from '../fields.ts';
import { launcher } from './launcher.ts';
import { taskStatuses } from '../task-status.ts';
import { searchText } from './page.ts';
import { inProject } from './projects.ts';
import { taskFailure } from './coded-messages.ts';

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
  /** Whether the task only shows what it would change. */
  dry_run: z.boolean(),
  message: z.string(),
  user_name: z.string().nullable(),
  /** What launched the task by itself; null: a person did. */
  launcher: launcher.nullable(),
  created: time,
  start: time.nullable(),
  end: time.nullable(),
});
export type OverviewTask = z.output<typeof overviewTask>;

/** How many tasks each list of the overview has at most. */
export const MAX_OVERVIEW_TASKS = 50;

/** How many days back the overview looks for failures. */
export const overviewDays = 7;

const overviewOfTasks = z.object({
  /** The tasks that wait for a confirmation which the caller may give, the oldest first. */
  to_confirm: z.array(overviewTask),
  /** All other unfinished tasks; those that run come first. */
  active: z.array(overviewTask),
  /** The tasks that failed within seven days, the newest first. */
  failed: z.array(overviewTask),
});
export type OverviewOfTasks = z.output<typeof overviewOfTasks>;

const pin = ofProjects.extend({
  /** Whether the caller may launch tasks of the template. */
  may_run: z.boolean(),
  /** The newest task of the template; null if there has been none. */
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

const searchResults = z.object({
  templates: z.array(ofProjects.extend({ may_run: z.boolean() })),
  /** The task with this number, and the newest tasks whose texts match. */
  tasks: z.array(overviewTask),
  hosts: z.array(z.object({ project_id: id, project_name: z.string(), name: z.string() })),
});
export type SearchResults = z.output<typeof searchResults>;

/** How many templates, tasks and hosts a search finds at most. */
export const MAX_SEARCH_RESULTS = { templates: 200, tasks: 20, hosts: 20 };

const pinned = inProject.extend({ template_id: idOf('template.not_found') });

export const overview = {
  tasks: endpoint({
    method: 'GET',
    path: '/api/user/overview',
    permission: 'user',
    projectTokens: true,
    summary:
      'What runs, has failed lately or waits for the caller in all projects of the caller, at most 50 tasks each',
    reply: overviewOfTasks,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    permission: 'user',
    projectTokens: true,
    summary:
      'Templates and hosts by name, and tasks by number (`#57`) or a text among the newest 5,000, in all projects of the caller',
    query: z.object({ q: searchText }),
    reply: searchResults,
  }),
  pins: endpoint({
    method: 'GET',
    path: '/api/user/pins',
    permission: 'user',
    projectTokens: true,
    summary: 'The templates that the caller has pinned, by project and name',
    reply: z.array(pin),
  }),
  pin: endpoint({
    method: 'PUT',
    path: '/api/project/:project_id/templates/:template_id/pin',
    permission: 'member',
    summary: 'Pin a template for the caller',
    params: pinned,
  }),
  unpin: endpoint({
    method: 'DELETE',
    path: '/api/project/:project_id/templates/:template_id/pin',
    permission: 'member',
    summary: 'Unpin a template for the caller',
    params: pinned,
  }),
};
