import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { runnerTags } from '../runner-tags.ts';
import { id, idParam, initially, line, optional, secret, time } from '../fields.ts';

/** What a server of several does: `web` serves people, `runner` runs tasks, `all` does both. */
export const serverRoles = ['all', 'web', 'runner'] as const;
export type ServerRole = (typeof serverRoles)[number];

/**
 * `new`: it has yet to enter. `draining`: it is given no more tasks. `stopped`: it was ended as it should be. `silent`: nothing
 * is heard of it.
 */
const runnerStates = ['new', 'ready', 'draining', 'stopped', 'silent'] as const;

/** A server: the only one there is, one of those that share a database, or a runner without it. */
const runner = z.object({
  id,
  /** Always null: it runs tasks of all projects. */
  project_id: id.nullable(),
  name: z.string(),
  role: z.enum(serverRoles),
  state: z.enum(runnerStates),
  /** It has no database: it asks a server, from wherever it stands. */
  remote: z.boolean(),
  /** It is there and is given tasks. */
  active: z.boolean(),
  /** Whether it is given no more tasks; null: it is the only one, and always is. */
  draining: z.boolean().nullable(),
  /** 0: no limit. */
  max_parallel_tasks: z.number().int(),
  tags: z.array(z.string()),
  /** Always empty. */
  webhook: z.string(),
  version: z.string(),
  /** How many tasks it runs. */
  running: z.number().int(),
  /** Of the last minute, for each of its processors. */
  load: z.number(),
  started: time,
  last_seen: time,
});
export type Runner = z.output<typeof runner>;

const params = z.object({ runner_id: idParam });

export const newRunner = z.object({
  name: line(100, 'name.required'),
  tags: initially(runnerTags, []),
});
export type NewRunner = z.output<typeof newRunner>;

export const runnerChange = z
  .object({
    /** Absent: as it is. */
    draining: optional(z.boolean()),
    /** Absent: as they are. Those of a server with the database stand in its settings. */
    tags: optional(runnerTags),
  })
  .refine(({ draining, tags }) => draining !== undefined || tags !== undefined, {
    error: 'field.required',
    path: ['draining'],
  });
export type RunnerChange = z.output<typeof runnerChange>;

const registration = z.object({
  id,
  /** With it the runner enters: once. */
  token: secret(z.string()),
  expires: time,
});
export type RunnerRegistration = z.output<typeof registration>;

export const runners = {
  list: endpoint({
    method: 'GET',
    path: '/api/runners',
    permission: 'admin',
    summary: 'The servers, and how many tasks each runs',
    reply: z.array(runner),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/runners',
    permission: 'admin',
    // One that is stolen must not make a runner that is given secrets.
    token: 'none',
    summary: 'Make a runner that needs no database. Its token is shown this once',
    body: newRunner,
    reply: registration,
    status: 201,
  }),
  renewToken: endpoint({
    method: 'POST',
    path: '/api/runners/:runner_id/token',
    permission: 'admin',
    token: 'none',
    summary: 'A further token with which a runner without a database enters anew',
    params,
    reply: registration,
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/runners/:runner_id',
    permission: 'admin',
    summary:
      'Give a server no more tasks, or some again; set the tags of a runner without a database',
    params,
    body: runnerChange,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/runners/:runner_id',
    permission: 'admin',
    summary:
      'Forget a server that is gone; one without a database is shut out, and loses its tasks',
    params,
  }),
};
