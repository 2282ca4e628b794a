import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const info = z.object({
  version: z.string(),
  ansible: z.string(),
  web_host: z.string(),
  use_remote_runner: z.boolean(),
  /** Programs that tasks need and that are not installed on the server. */
  missing_programs: z.array(z.string()),
  /** Which ways of sending alerts an administrator has set up for the whole server. */
  alerts: z.object({ mail: z.boolean(), telegram: z.boolean() }),
});

/**
 * What `GET /api/health` looks at. A runner that is `off` runs elsewhere; a disk is `low` when less
 * is free than an administrator wants, and a disk or a database that is `full` takes nothing more.
 */
export const healthStates = ['ok', 'off', 'low', 'full', 'slow', 'failed'] as const;
export type HealthState = (typeof healthStates)[number];
export type RoomState = Extract<HealthState, 'ok' | 'low' | 'full'>;

const health = z.object({
  status: z.literal('ok'),
  database: z.enum(healthStates),
  /** Of the data folder. */
  disk: z.enum(healthStates),
  queue: z.enum(healthStates),
  runner: z.enum(healthStates),
  /** `slow`: in the last five minutes nothing moved for over a second. */
  event_loop: z.enum(healthStates),
});

/** Programs that watch a server ask often. */
const rateLimit = { max: 1200, windowSeconds: 60, perServer: true };

export const system = {
  ping: endpoint({
    method: 'GET',
    path: '/api/ping',
    permission: 'public',
    rateLimit,
    anyHost: true,
    summary: 'Whether the server is alive; answers the text "pong"',
    reply: z.string(),
  }),
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    permission: 'public',
    rateLimit,
    anyHost: true,
    summary:
      'Whether database, disk, queue and runner work; 503 `system.not_ready` where one does not',
    reply: health,
  }),
  info: endpoint({
    method: 'GET',
    path: '/api/info',
    permission: 'user',
    projectTokens: true,
    summary: 'Version and abilities of this server',
    reply: info,
  }),
  openapi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    permission: 'public',
    rateLimit,
    summary: 'This API as an OpenAPI 3.1 document',
    reply: z.looseObject({ openapi: z.string() }),
  }),
};
