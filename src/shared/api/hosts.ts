// The hosts of a project: those of inventories, and those of Ansible runs.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idParam, naming, noControls, time } from '../fields.ts';
import { taskStatuses } from '../task-status.ts';
import { newestFirstQuery, searchText, sortedQuery } from './page.ts';
import { firstFailure, resultCounts, resultStates } from './run-results.ts';

/** The most severe result of a host in a run. */
const outcome = z.enum(resultStates);

const hostRun = {
  task_id: id,
  template_id: id,
  template_name: z.string(),
  status: z.enum(taskStatuses),
  dry_run: z.boolean(),
  end: time.nullable(),
};

const host = z.object({
  id,
  name: z.string(),
  /** The inventories that contain it, with its groups; empty for guests. */
  inventories: z.array(z.object({ id, name: z.string(), groups: z.array(z.string()) })),
  /** The newest finished task with the host; null: none. */
  last_run: z.object({ ...hostRun, outcome }).nullable(),
  /** The newest finished task in which it failed or was unreachable. */
  last_failure: z
    .object({
      ...hostRun,
      outcome,
      /** Null: unknown. */
      first_failure: firstFailure.nullable(),
    })
    .nullable(),
  /** Its last results in finished tasks, the newest last. */
  results: z.array(z.object({ task_id: id, outcome, dry_run: z.boolean() })),
});
export type Host = z.output<typeof host>;

export const shownResults = 20;

const hostTask = z.object({
  id,
  template_id: id,
  template_name: z.string(),
  status: z.enum(taskStatuses),
  dry_run: z.boolean(),
  created: time,
  start: time.nullable(),
  end: time.nullable(),
  outcome,
  ...resultCounts,
  /** The duration of all Ansible tasks on the host. */
  duration_ms: z.number().int().min(0),
  first_failure: firstFailure.nullable(),
});
export type HostTask = z.output<typeof hostTask>;

/** A run that reported facts of a host. */
const factRun = z.object({
  task_id: id,
  time: time.nullable(),
});
export type FactRun = z.output<typeof factRun>;

/** The facts that a run reported with other values than the runs before. */
const factChange = factRun.extend({
  facts: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
});
export type FactChange = z.output<typeof factChange>;

const hostFacts = z.object({
  /** The names of the facts that the project keeps; empty: none. */
  names: z.array(z.string()),
  /** The last run that reported facts of the host; null: none. */
  told: factRun.nullable(),
  /** The last value of each fact, masked, and the first run with it. */
  facts: z.array(z.object({ name: z.string(), value: z.string(), since: factRun })),
  /** At most 100, newest first. */
  changes: z.array(factChange),
});
export type HostFacts = z.output<typeof hostFacts>;

/** The filter of hosts by the result of their last run; `none`: no run. */
export const hostOutcomes = [...resultStates, 'none'] as const;
export type HostOutcome = (typeof hostOutcomes)[number];

const params = {
  host: naming(
    z.string().min(1).max(250).refine(noControls, { error: 'field.control_characters' }),
    'host.not_found',
  ),
};

/** In a list of thousands, runs and groups are named by their index in lists of their own. */
const index = z.number().int().min(0);

const hostMap = z.object({
  /** The newest runs first, then those without a run. */
  hosts: z.array(
    z.object({
      name: z.string(),
      /** The result of the last run; null: no run. */
      outcome: outcome.nullable(),
      run: index.nullable(),
      groups: z.array(index),
    }),
  ),
  /** The last runs of these hosts. */
  runs: z.array(z.object(hostRun)),
  /** The groups of inventories, and the inventories for hosts that are in no group; none for guests. */
  groups: z.array(z.object({ name: z.string(), kind: z.enum(['group', 'inventory']) })),
  /** Whether there are more than 5,000. */
  has_more: z.boolean(),
});
export type HostMap = z.output<typeof hostMap>;

export const hosts = {
  list: endpoint.get('/api/project/:project_id/hosts', {
    permission: 'member',
    summary:
      'The hosts of the project in their natural order, 100 unless `limit` says otherwise. Guests see those of runs only',
    query: sortedQuery(['name', 'last_run']).extend({
      before: idParam.optional(),
      /** The result of the last run; `none`: hosts without a run. */
      outcome: z.enum(hostOutcomes).optional(),
      /** Part of the name. */
      q: searchText,
    }),
    reply: z.array(host),
  }),
  map: endpoint.get('/api/project/:project_id/host_map', {
    permission: 'member',
    summary:
      'Up to 5,000 hosts with the result of their last run and the groups of inventories, in one short answer. Guests see the hosts of runs only, and no groups',
    query: z.object({ outcome: z.enum(hostOutcomes).optional(), q: searchText }),
    reply: hostMap,
  }),
  one: endpoint.get('/api/project/:project_id/hosts/:host', {
    permission: 'member',
    summary: 'One host, by its name',
    params,
    reply: host,
  }),
  facts: endpoint.get('/api/project/:project_id/hosts/:host/facts', {
    permission: 'member',
    summary: 'What runs of Ansible have told of a host, as far as its project keeps that',
    params,
    reply: hostFacts,
  }),
  tasks: endpoint.get('/api/project/:project_id/hosts/:host/tasks', {
    permission: 'member',
    summary: 'The tasks in which a host was, newest first, 100 unless `limit` says otherwise',
    params,
    query: newestFirstQuery,
    reply: z.array(hostTask),
  }),
};
