import { z } from 'zod';
import { compatOnly, withCompatFields } from '../compatible/forms.ts';
import { runnerForms, showRunnerForms, shownRunnerForms } from '../compatible/runners.ts';
import type { Requirement } from '../permissions.ts';
import { endpoint } from './endpoint.ts';
import { refsEndpoint } from './references.ts';
import { runnerTags } from '../runner-tags.ts';
import {
  id,
  initially,
  line,
  optional,
  optionalLine,
  secret,
  switchBody,
  time,
} from '../fields.ts';

/** The role of one of several servers: `web` serves users, `runner` runs tasks, `all` does both. */
export const serverRoles = ['all', 'web', 'runner'] as const;
export type ServerRole = (typeof serverRoles)[number];

/** `new`: never registered. `draining`: receives no more tasks. `stopped`: shut down. `silent`: no heartbeats. */
export const runnerStates = ['new', 'ready', 'draining', 'stopped', 'silent'] as const;

/** A server or runner: the only server, one of several with a shared database, or a remote runner. */
const runner = z.object({
  id,
  /** The only project whose tasks it runs; null: all projects. */
  project_id: id.nullable(),
  name: z.string(),
  role: z.enum(serverRoles),
  state: z.enum(runnerStates),
  /** Whether it is a remote runner, which has no database. */
  remote: z.boolean(),
  /** Whether it receives no more tasks; null for the only server, which cannot be drained. */
  draining: z.boolean().nullable(),
  /** The administrators' limit of parallel tasks; 0: as many as its own settings allow. */
  max_parallel_tasks: z.number().int(),
  /** The limit of parallel tasks by all settings; 0: no limit, null: it runs no tasks. */
  slots: z.number().int().nullable(),
  tags: z.array(z.string()),
  /** The program for containers with its version, such as `podman 4.3.1`; empty: none, or not reported yet. */
  container_engine: z.string(),
  /** Always empty. */
  ...compatOnly({ webhook: z.string() }),
  version: z.string(),
  /** The number of running tasks. */
  running: z.number().int(),
  /** The load average of the last minute per processor. */
  load: z.number(),
  started: time,
  last_seen: time,
  /** The time of the last request to clear its caches; null: none. */
  ...compatOnly({ cleaning_requested: time.nullable() }),
});
export type Runner = z.output<typeof runner>;

const shownRunner = withCompatFields(
  (one: Runner) => showRunnerForms(one),
  runner.extend(shownRunnerForms),
);

const most = z.number().int().min(0, { error: 'field.zero_or_more' }).max(100_000);

/** The server calls no webhooks for runners. */
const webhook = compatOnly({
  webhook: optional(optionalLine(1000).refine((text) => text === '', { error: 'runner.webhook' })),
});

export const newRunner = z.object({
  name: line(100, 'name.required'),
  tags: initially(runnerTags, []),
  max_parallel_tasks: initially(most, 0),
  draining: initially(z.boolean(), false),
  ...webhook,
});
export type NewRunner = z.output<typeof newRunner>;

/** Absent fields do not change. Name, tags and limit of a server with the database are settings of that server. */
export const runnerChange = z.object({
  name: optional(line(100, 'name.required')),
  draining: optional(z.boolean()),
  tags: optional(runnerTags),
  max_parallel_tasks: optional(most),
  ...webhook,
});
export type RunnerChange = z.output<typeof runnerChange>;

const entrance = {
  /** The token for one registration. */
  token: secret(z.string()),
  expires: time,
};

const registration = z.object({ id, ...entrance });
export type RunnerRegistration = z.output<typeof registration>;

const madeRunner = withCompatFields(
  (one: Runner & Omit<RunnerRegistration, 'id'>) => showRunnerForms(one),
  runner.extend({ ...shownRunnerForms, ...entrance }),
);

/** The same with the field names of other versions of the API. */
const registrationToken = z.object({
  registration_token: secret(z.string()),
  runner_id: id,
  project_id: id.nullable(),
  expires: time,
});

const runnerTag = z.object({
  tag: z.string(),
  number_of_runners: z.number().int(),
});

interface RunnerPaths<Base extends string> {
  /** The prefix of the paths. */
  at: Base;
  see: Requirement;
  manage: Requirement;
  /** A part of the summaries. */
  where: string;
}

const reads = <const Base extends string>({ at, see, where }: RunnerPaths<Base>) => ({
  list: endpoint.get(`${at}/runners`, {
    permission: see,
    summary: `The runners ${where}, and how many tasks each runs`,
    reply: z.array(shownRunner),
  }),
  tags: endpoint.get(`${at}/runner_tags`, {
    permission: see,
    summary: `The tags of runners ${where}, and how many runners have each`,
    reply: z.array(runnerTag),
  }),
  one: endpoint.get(`${at}/runners/:runner_id`, {
    permission: see,
    summary: `One of the runners ${where}`,
    reply: shownRunner,
  }),
  refs: refsEndpoint(`${at}/runners/:runner_id`, `a runner ${where}: nothing does`, {
    permission: see,
  }),
});

const writes = <const Base extends string>({ at, manage, where }: RunnerPaths<Base>) => ({
  create: endpoint.post(`${at}/runners`, {
    permission: manage,
    summary: `Make a runner ${where} that needs no database. Its token is shown this once`,
    body: newRunner,
    forms: runnerForms,
    reply: madeRunner,
    status: 201,
  }),
  renewToken: endpoint.post(`${at}/runners/:runner_id/token`, {
    permission: manage,
    summary: `A further token with which a runner ${where} registers again`,
    reply: registration,
    status: 201,
  }),
  update: endpoint.put(`${at}/runners/:runner_id`, {
    permission: manage,
    summary: `Change a runner ${where}: give it no more tasks or some again, set its name, tags and number of tasks`,
    body: runnerChange,
    forms: runnerForms,
    refuses: ['runner.tags_by_setting', 'runner.always_active'],
  }),
  remove: endpoint.delete(`${at}/runners/:runner_id`, {
    permission: manage,
    summary: `Forget a runner ${where}; one without a database is shut out, and loses its tasks`,
    refuses: ['runner.in_use', 'runner.still_there'],
  }),
});

/** Only for clients of other versions of the API. */
const writesOfOthers = <const Base extends string>({ at, manage, where }: RunnerPaths<Base>) => ({
  registrationToken: endpoint.post(`${at}/runners/:runner_id/registration-token`, {
    permission: manage,
    forOthers: true,
    summary: `The same as \`token\`, for clients of other versions: a further token of a runner ${where}`,
    reply: registrationToken,
  }),
  switch: endpoint.post(`${at}/runners/:runner_id/active`, {
    permission: manage,
    forOthers: true,
    summary: `Give a runner ${where} no more tasks, or some again`,
    body: switchBody,
    refuses: ['runner.always_active'],
  }),
  clearCache: endpoint.delete(`${at}/runners/:runner_id/cache`, {
    permission: manage,
    forOthers: true,
    summary: `Have a runner ${where} clear what it keeps for later runs, except what its tasks use now`,
  }),
});

const runnerEndpoints = <const Base extends string>(place: RunnerPaths<Base>) => ({
  ...reads(place),
  ...writes(place),
  ...writesOfOthers(place),
});

/** All runners, and runners for all projects. */
export const runners = runnerEndpoints({
  at: '/api',
  see: 'admin',
  manage: 'admin',
  where: 'of the installation',
});

/** Runners for tasks of one project only. */
export const projectRunners = runnerEndpoints({
  at: '/api/project/:project_id',
  see: 'member',
  manage: 'runner.edit',
  where: 'of the project',
});
