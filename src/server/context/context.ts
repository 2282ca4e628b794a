// What use cases are given: six resources of the process, and who acts. More needs a decision record.

import type { Config } from '../config/config.ts';
import type { Db } from '../db/open.ts';
import type { Vault } from '../vault/vault.ts';
import type { Hub } from '../live/hub.ts';
import type { Clock } from '../../runner/system/clock.ts';
import type { Log } from '../../runner/system/log.ts';

/** Who does something, through what, and from where. */
export interface By {
  /** Null: no person. */
  userId: number | null;
  /** Login; empty: no person. */
  username: string;
  via: 'session' | 'token' | 'schedule' | 'integration' | 'server' | 'cli';
  /** The token, schedule or integration. */
  viaId: number | null;
  /** Empty: from the server itself. */
  ip: string;
}

/** The server, by itself. */
export const byServer: By = { userId: null, username: '', via: 'server', viaId: null, ip: '' };

export interface Context {
  by: By;
  config: Config;
  db: Db;
  hub: Hub;
  vault: Vault;
  clock: Clock;
  log: Log;
}

/** Whether no other server can share its data. */
export const isAlone = ({ config }: Pick<Context, 'config'>): boolean =>
  config.databaseUrl === null;
