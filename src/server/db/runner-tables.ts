// The tables of the servers that share the database.

import type { Generated } from 'kysely';
import type { ServerRole } from '#shared/api/runners.ts';
import type { Flag } from './columns.ts';

interface Runners {
  id: Generated<number>;
  /** Stands in its data folder: where that is, the same runner comes back. */
  uid: string;
  /** The process that is this runner now. */
  session: string;
  /** Of its machine. */
  name: string;
  role: ServerRole;
  version: string;
  /** 0: no limit. */
  max_parallel_tasks: number;
  /** JSON: a list. */
  tags: Generated<string>;
  /** It is given no more tasks. */
  draining: Generated<Flag>;
  /** It has ended as it was told to, and is given no task until it is back. */
  closed: Generated<Flag>;
  /** Load of its machine, for each processor. */
  load: Generated<number>;
  started: string;
  /** By the clock of the database. */
  last_seen: string;
  /** It has no database: it asks a server. */
  remote: Generated<Flag>;
  /** Digest of the token with which it may enter, once; null: there is none. */
  registration: Generated<string | null>;
  registration_expires: Generated<string | null>;
  /** Digest of what it shows with every request; null: it has not entered, or may not any more. */
  credential: Generated<string | null>;
  /** Secrets are sealed to it: a JSON Web Key. */
  public_key: Generated<string | null>;
}

interface CallCounts {
  /** Digest of an endpoint and an address. */
  key: string;
  calls: number;
  ends: string;
}

export interface RunnerTables {
  call_counts: CallCounts;
  runners: Runners;
}
