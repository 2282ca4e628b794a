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
  /** The time zone of schedules that name none. */
  schedule_timezone: z.string(),
  roles: z.array(roleInfo),
  /** Always empty: nothing here has to be paid for. */
  ...compatOnly({ premium_features: z.object({}) }),
  /** The programs for tasks that are not installed on the server. */
  missing_programs: z.array(z.string()),
  /** Which services for alerts an administrator has set up for the whole server. */
  alerts: z.object({ mail: z.boolean(), telegram: z.boolean() }),
});

/**
 * The parts that `GET /api/health` checks. A runner is `off` when this server runs no tasks. A disk is
 * `low` when less space is free than the settings want. A disk or a database that is `full` cannot
 * store anything. A queue is `late` when a task that could begin has waited for over 15 minutes. A
 * clock is `wrong` when it has jumped lately, or differs from that of the database by over a minute.
 * Runners are `silent` when some of them send no heartbeats. Backups are `late` when none was made in
 * time.
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
  /** Whether the data folder and the database can be written. */
  writing: z.enum(healthStates),
  /** The disk of the data folder. */
  disk: z.enum(healthStates),
  clock: z.enum(healthStates),
  queue: z.enum(healthStates),
  /** The runner beside this server. */
  runner: z.enum(healthStates),
  /** All runners together; `failed` when none can be given tasks. This server is ready all the same. */
  runners: z.enum(healthStates),
  /** `slow` when the event loop was blocked for more than a second in the last five minutes. */
  event_loop: z.enum(healthStates),
  /**
   * The scheduled backups of the installation: `off` when this server makes none, `late` when none has
   * succeeded an hour after it was due. This server is ready all the same.
   */
  backups: z.enum(healthStates),
  /**
   * What follows from the ends of tasks: `failed` when some of it has failed again and again, although
   * it is tried on. This server is ready all the same.
   */
  follow_ups: z.enum(healthStates),
  /** `off` when this machine lets the server make none: then processes that hide may survive their task. */
  control_groups: z.enum(healthStates),
  /** `wrong` when requests came through a proxy in the last hour, but the server trusts none. */
  proxies: z.enum(healthStates),
  /**
   * `new` when the ansible-core of this server is of a later release than those that this version was
   * tried with, `off` when none is installed here. This server is ready all the same.
   */
  ansible: z.enum(healthStates),
});
export type HealthStates = z.output<typeof states>;
export const healthParts = states.keyof().options;

const health = states.extend({ status: z.literal('ok') });

const bytes = z.number().int().min(0);
const count = z.number().int().min(0);

const setAside = z.object({
  count,
  /** When the newest was set aside; null: there is none. */
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

const figures = z.object({
  /** The disk of the data folder; null: the system does not tell. */
  disk: z.object({
    folder: z.string(),
    free_bytes: bytes.nullable(),
    size_bytes: bytes.nullable(),
    /** Below this the disk counts as `low`. */
    low_bytes: bytes,
  }),
  /** The database, which also holds the logs of tasks. */
  database: z.object({
    engine: z.enum(['sqlite', 'postgresql']),
    version: z.string(),
    size_bytes: bytes,
  }),
  queue: z.object({
    waiting: count,
    /** When the oldest waiting task was launched; null: none waits. */
    oldest_waiting: time.nullable(),
    to_confirm: count,
    running: count,
  }),
  /** The scheduled backups of the installation. */
  backups: z.object({
    /** Whether this server makes them. */
    scheduled: z.boolean(),
    /** When the last good one was finished; null: there is none. */
    last: time.nullable(),
    bytes: bytes.nullable(),
    /** Why the last one has failed; null: it has not. */
    failure: z.string().nullable(),
  }),
  /** States of Terraform and the like that belong to nothing here and wait for an administrator. */
  set_aside: setAside,
  server: z.object({
    version: z.string(),
    node: z.string(),
    /** The version of the rules of time zones, such as `2026e`: they come with Node. */
    zone_rules: z.string(),
    started: time,
    memory_bytes: bytes,
    /** The memory of the machine. */
    machine_bytes: bytes,
    /** The proxies of outgoing connections, without their logins; null: they go out directly. */
    proxies: z.object({ http: z.string().nullable(), https: z.string().nullable() }),
  }),
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
      /** What a remote runner has set aside on its machine; null for the runner beside a server. */
      set_aside: setAside.nullable(),
    }),
  ),
});
export type SystemFigures = z.output<typeof figures>;

/** A high limit, because monitoring calls these endpoints often. */
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
      'Whether database, disk, clock, queue and runner work; 503 `system.not_ready` where one does not',
    reply: health,
    refuses: ['system.not_ready'],
  }),
  figures: endpoint({
    method: 'GET',
    path: '/api/health/figures',
    permission: 'admin',
    summary: 'Disk, database, queue, memory and versions in numbers',
    reply: figures,
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
    reply: z.string(),
    textType: 'application/json',
  }),
};
