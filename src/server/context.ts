// The process-wide resources that use cases are given. Six; a seventh needs a decision record.

import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { Vault } from './keys/vault.ts';
import type { Hub } from './live/hub.ts';
import type { Log } from './log.ts';

export interface Clock {
  now: () => Date;
}

export interface Context {
  config: Config;
  db: Db;
  hub: Hub;
  vault: Vault;
  clock: Clock;
  log: Log;
}
