// The context of use cases: seven resources of the process, and who acts. A further resource needs a
// decision record.

import type { Config } from '../config/config.ts';
import type { Db } from '../db/open.ts';
import type { Vault } from '../vault/vault.ts';
import type { Hub } from '../live/hub.ts';
import type { Clock } from '../../node/async/clock.ts';
import type { Log } from '../../node/log/log.ts';
import type { Telemetry } from '../lib/telemetry/telemetry.ts';

/** Who acts, through which client, and from which address. */
export interface By {
  /** Null if no person acts. */
  userId: number | null;
  /** The login; empty if no person acts. */
  username: string;
  via: 'session' | 'token' | 'schedule' | 'integration' | 'server' | 'cli';
  /** The id of the token, schedule or integration. */
  viaId: number | null;
  /** The address of the client; empty if the server itself acts. */
  ip: string;
  /** The request that asks for it; only where traces are switched on. */
  request?: AskingRequest | undefined;
}

interface AskingRequest {
  begun: Date;
  /** Its header `traceparent` as it was sent. */
  traceparent: string | undefined;
}

/** The server acts by itself. */
export const byServer: By = { userId: null, username: '', via: 'server', viaId: null, ip: '' };

/** What launches: a schedule, an integration, or neither. */
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
  /** The id of the installation. */
  installation: string;
}

/** Whether no other server can share its data. */
export const isAlone = ({ config }: Pick<Context, 'config'>): boolean =>
  config.databaseUrl === null;
