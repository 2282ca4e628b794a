// The hosts of a project: those that an inventory names, and those that runs of Ansible have named.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idParam, naming, noControls, time } from '../fields.ts';
import { taskStatuses } from '../task-status.ts';
import { newestFirstQuery, searchText, sortedQuery } from './page.ts';
import { inProject } from './projects.ts';
import { firstFailure, resultCounts, resultStates } from './run-results.ts';

/** What became of a host in a run: its most severe result. */
const outcome = z.enum(resultStates);

/** A task in which a host was. */
const hostRun = {
  task_id: id,
  template_id: id,
  template_name: z.string(),
  status: z.enum(taskStatuses),
  /** Whether the task only shows what it would change. */
  dry_run: z.boolean(),
  end: time.nullable(),
};

const host = z.object({
  id,
  name: z.string(),
  /** The inventories that name it, with its groups in them; empty for guests. */
  inventories: z.array(z.object({ id, name: z.string(), groups: z.array(z.string()) })),
  /** The newest finished task in which it was; null for none. */
  last_run: z.object({ ...hostRun, outcome }).nullable(),
  /** The newest finished task in which it failed or could not be reached. */
  last_failure: z
    .object({
      ...hostRun,
      outcome,
      /** The first failure; null if it is not known. */
      first_failure: firstFailure.nullable(),
    })
    .nullable(),
  /** Its last results in finished tasks, at most twenty, the newest last. */
  results: z.array(z.object({ task_id: id, outcome, dry_run: z.boolean() })),
});
export type Host = z.output<typeof host>;

/** How many of its last results a host shows. */
export const shownResults = 20;

const hostTask = z.object({
  /** The id of the task. */
  id,
  template_id: id,
  template_name: z.string(),
  status: z.enum(taskStatuses),
  /** Whether the task only shows what it would change. */
  dry_run: z.boolean(),
  created: time,
  start: time.nullable(),
  end: time.nullable(),
  outcome,
  ...resultCounts,
  /** The time that the tasks of Ansible took on the host. */
  duration_ms: z.number().int().min(0),
  first_failure: firstFailure.nullable(),
});
export type HostTask = z.output<typeof hostTask>;

/** A run that told facts of a host. */
const factRun = z.object({
  task_id: id,
  /** When it began. */
  time: time.nullable(),
});
export type FactRun = z.output<typeof factRun>;

/** What a run told otherwise than the runs before it. */
const factChange = factRun.extend({
  facts: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
});
export type FactChange = z.output<typeof factChange>;

const hostFacts = z.object({
  /** The names of the facts that the project keeps now; empty: none. */
  names: z.array(z.string()),
  /** The last run that told facts of the host; null: none has. */
  told: factRun.nullable(),
  /** The last value of each fact, masked, and the run that was the first to tell it. */
  facts: z.array(z.object({ name: z.string(), value: z.string(), since: factRun })),
  /** At most 100, the newest first. */
  changes: z.array(factChange),
});
export type HostFacts = z.output<typeof hostFacts>;

/** The outcomes by which hosts are found: that of their last run, or no run. */
export const hostOutcomes = [...resultStates, 'none'] as const;
export type HostOutcome = (typeof hostOutcomes)[number];

const params = inProject.extend({
  host: naming(
    z.string().min(1).max(250).refine(noControls, { error: 'field.control_characters' }),
    'host.not_found',
  ),
});

export const hosts = {
  list: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/hosts',
    permission: 'member',
    summary:
      'The hosts of the project in their natural order, 100 unless `limit` says otherwise. Guests see those of runs only',
    params: inProject,
    query: sortedQuery(['name', 'last_run']).extend({
      before: idParam.optional(),
      /** The outcome of the last run; `none` for hosts that were in no run. */
      outcome: z.enum(hostOutcomes).optional(),
      /** A part of the name. */
      q: searchText,
    }),
    reply: z.array(host),
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/hosts/:host',
    permission: 'member',
    summary: 'One host, by its name',
    params,
    reply: host,
  }),
  facts: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/hosts/:host/facts',
    permission: 'member',
    summary: 'What runs of Ansible have told of a host, as far as its project keeps that',
    params,
    reply: hostFacts,
  }),
  tasks: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/hosts/:host/tasks',
    permission: 'member',
    summary: 'The tasks in which a host was, newest first, 100 unless `limit` says otherwise',
    params,
    query: newestFirstQuery,
    reply: z.array(hostTask),
  }),
};
