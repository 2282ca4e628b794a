// The context of use cases. A further resource needs a decision record.

import type { Config } from '../config/config.ts';
import type { Db } from '../db/open.ts';
import type { ObjectRights } from '../db/rights/object-rights.ts';
import { scoped, type Scope } from '../db/rights/scope.ts';
import type { Vault } from '../vault/vault.ts';
import type { Hub } from '../live/hub.ts';
import type { Clock } from '../../node/async/clock.ts';
import type { Log } from '../../node/log/log.ts';
import type { Telemetry } from '../lib/telemetry/telemetry.ts';

export interface By {
  /** Null if no person acts. */
  userId: number | null;
  /** Empty if no person acts. */
  username: string;
  via: 'session' | 'token' | 'schedule' | 'integration' | 'server' | 'cli';
  /** The id of the token, schedule or integration. */
  viaId: number | null;
  /** The address of the client; empty if the server itself acts. */
  ip: string;
  /** What the person sees; null or absent: everything. */
  scope?: Scope | null;
  /** What they may do with each object; null or absent: what their role allows. */
  objects?: (() => Promise<ObjectRights>) | null;
  /** The HTTP request; only where traces are enabled. */
  request?: { begun: Date; traceparent: string | undefined } | undefined;
}

export const byServer: By = { userId: null, username: '', via: 'server', viaId: null, ip: '' };

/** The columns of a task that name its schedule or integration. */
export const sourceOf = ({ via, viaId }: By) => ({
  schedule_id: via === 'schedule' ? viaId : null,
  integration_id: via === 'integration' ? viaId : null,
});

export interface Context {
  by: By;
  config: Config;
  db: Db;
  hub: Hub;
  vault: Vault;
  clock: Clock;
  log: Log;
  telemetry: Telemetry;
  installation: string;
}

/** The database as the person sees it who acts, for what a change tells of other things. */
export const seenBy = ({ db, by: { scope } }: Pick<Context, 'db' | 'by'>): Db =>
  scope ? scoped(db, scope) : db;

/** Whether no other server can share the data. */
export const isAlone = ({ config }: Pick<Context, 'config'>): boolean =>
  config.databaseUrl === null;
