import { z } from 'zod';
import { compatOnly } from '../compatible/forms.ts';
import { endpoint } from './endpoint.ts';
import { id, time } from '../fields.ts';
import { roleInfo } from './projects.ts';

const info = z.object({
  version: z.string(),
  ansible: z.string(),
  web_host: z.string(),
  /** Whether this server runs no tasks itself. */
  use_remote_runner: z.boolean(),
  /** The second factors that users can have. */
  auth_methods: z.object({ totp: z.object({ allow_recovery: z.boolean() }) }),
  /** The default time zone of schedules. */
  schedule_timezone: z.string(),
  roles: z.array(roleInfo),
  /** Always empty. */
  ...compatOnly({ premium_features: z.object({}) }),
  /** The programs for tasks that are not installed on the server. */
  missing_programs: z.array(z.string()),
  /** The alert services that an administrator has set up for the whole server. */
  alerts: z.object({ mail: z.boolean(), telegram: z.boolean() }),
});

/**
 * The states in `GET /api/health`. A runner is `off` when this server runs no tasks. A disk is `low` when less space is
 * free than required. A disk or database that is `full` cannot store anything. A queue is `late` when a task that could
 * begin has waited for over 15 minutes. A clock is `wrong` when it has jumped recently, or differs from the database's by
 * over a minute. Runners are `silent` when some send no heartbeats. Backups are `late` when one is overdue.
 */
export const healthStates = [
  'ok',
  'off',
  'low',
  'full',
  'late',
  'wrong',
  'silent',
  'slow',
  'new',
  'failed',
] as const;
export type HealthState = (typeof healthStates)[number];
export type RoomState = Extract<HealthState, 'ok' | 'low' | 'full'>;

const states = z.object({
  database: z.enum(healthStates),
  /** Whether the data folder and the database are writable. */
  writing: z.enum(healthStates),
  /** Of the data folder. */
  disk: z.enum(healthStates),
  clock: z.enum(healthStates),
  queue: z.enum(healthStates),
  /** The runner beside this server. */
  runner: z.enum(healthStates),
  /** All runners; `failed` when none accepts tasks, which does not affect readiness. */
  runners: z.enum(healthStates),
  /** `slow` when the event loop was blocked for more than a second in the last five minutes. */
  event_loop: z.enum(healthStates),
  /** `off` when this server makes none, `late` an hour after a due backup; does not affect readiness. */
  backups: z.enum(healthStates),
  /** The consequences of task ends: `failed` when some fail repeatedly in spite of retries; does not affect readiness. */
  follow_ups: z.enum(healthStates),
  /** `off` when the server may create none: processes that hide may then survive their task. */
  control_groups: z.enum(healthStates),
  /** `wrong` when requests came through a proxy in the last hour, but the server trusts none. */
  proxies: z.enum(healthStates),
  /** `new`: a later ansible-core than this version was tested with; `off`: not installed. Does not affect readiness. */
  ansible: z.enum(healthStates),
});
export type HealthStates = z.output<typeof states>;
export const healthParts = states.keyof().options;

const health = states.extend({ status: z.literal('ok') });

const bytes = z.number().int().min(0);
const count = z.number().int().min(0);

const setAside = z.object({
  count,
  /** Null: none. */
  newest: time.nullable(),
  folder: z.string(),
});

const loopNames = [
  'assign_tasks',
  'follow_ups',
  'workflow_runs',
  'schedules',
  'alerts',
  'lost_runners',
  'maintenance',
  'backups',
] as const;
export type LoopName = (typeof loopNames)[number];

/** Work that this server does in the background. */
const loop = z.object({
  name: z.enum(loopNames),
  /** When the last run ended; null: none has. */
  last_run: time.nullable(),
  duration_ms: count.nullable(),
  /** Why the last run or a part of it has failed; null: it has not. */
  error: z.string().nullable(),
  /** When the next run is due without an event; null: not before an event. */
  next_due: time.nullable(),
});
export type LoopState = z.output<typeof loop>;

export const MAX_RECENT_FIGURES = 60;

/** A sample of this server, one a minute. */
const recentFigures = z.object({
  time,
  memory_bytes: bytes,
  /** Of the disk of the data folder; null: unknown. */
  free_bytes: bytes.nullable(),
  /** Waiting tasks; null: the database did not answer. */
  waiting: count.nullable(),
});
export type RecentFigures = z.output<typeof recentFigures>;

const figures = z.object({
  /** The disk of the data folder; null: unknown. */
  disk: z.object({
    folder: z.string(),
    free_bytes: bytes.nullable(),
    size_bytes: bytes.nullable(),
    /** The disk is `low` below. */
    low_bytes: bytes,
  }),
  /** Includes the logs of tasks. */
  database: z.object({
    engine: z.enum(['sqlite', 'postgresql']),
    version: z.string(),
    size_bytes: bytes,
  }),
  queue: z.object({
    waiting: count,
    /** When the oldest waiting task was launched; null: none. */
    oldest_waiting: time.nullable(),
    to_confirm: count,
    running: count,
  }),
  backups: z.object({
    /** Whether this server makes them. */
    scheduled: z.boolean(),
    /** The end of the last successful one; null: none. */
    last: time.nullable(),
    bytes: bytes.nullable(),
    /** Why the last one failed; null: it succeeded. */
    failure: z.string().nullable(),
  }),
  /** Data of unknown owners, such as Terraform states, for an administrator. */
  set_aside: setAside,
  server: z.object({
    version: z.string(),
    node: z.string(),
    /** The version of Node's time zone database, such as `2026e`. */
    zone_rules: z.string(),
    started: time,
    memory_bytes: bytes,
    machine_bytes: bytes,
    /** The proxies of outgoing connections, without their logins; null: direct connections. */
    proxies: z.object({ http: z.string().nullable(), https: z.string().nullable() }),
  }),
  /** The last hour of this server, since its start; oldest first. */
  recent: z.array(recentFigures),
  /** The work of this server in the background. */
  loops: z.array(loop),
  /** All runners, with what this server knows of their programs: empty or null where it does not. */
  runners: z.array(
    z.object({
      id,
      name: z.string(),
      version: z.string(),
      running: count,
      last_seen: time,
      node: z.string(),
      git: z.string(),
      ansible: z.string(),
      memory_bytes: bytes.nullable(),
      /** Of a remote runner; null for the runner beside a server. */
      set_aside: setAside.nullable(),
    }),
  ),
});
export type SystemFigures = z.output<typeof figures>;

/** High, because monitoring calls these endpoints often. */
const rateLimit = { max: 1200, windowSeconds: 60, perServer: true };

export const system = {
  ping: endpoint.get('/api/ping', {
    permission: 'public',
    rateLimit,
    anyHost: true,
    summary: 'Whether the server is alive; answers the text "pong"',
    reply: z.string(),
  }),
  health: endpoint.get('/api/health', {
    permission: 'public',
    rateLimit,
    anyHost: true,
    summary:
      'Whether database, disk, clock, queue and runner work; 503 `system.not_ready` where one does not',
    reply: health,
    refuses: ['system.not_ready'],
  }),
  figures: endpoint.get('/api/health/figures', {
    permission: 'admin',
    summary: 'Disk, database, queue, memory and versions in numbers',
    reply: figures,
  }),
  info: endpoint.get('/api/info', {
    permission: 'user',
    projectTokens: true,
    summary: 'Version and abilities of this server',
    reply: info,
  }),
  openapi: endpoint.get('/api/openapi.json', {
    permission: 'public',
    rateLimit,
    summary: 'This API as an OpenAPI 3.1 document',
    reply: z.string(),
    textType: 'application/json',
  }),
};
