// The tables of servers and remote runners.

import type { Generated } from 'kysely';
import type { ServerRole } from '#shared/api/runners.ts';
import type { Flag } from './columns.ts';

interface Runners {
  id: Generated<number>;
  /** The only project whose tasks it may be given; null for all projects. */
  project_id: Generated<number | null>;
  /** The identity in the data folder, by which a runner is recognised after a restart. */
  uid: string;
  /** The id of the current process of this runner. */
  session: string;
  /** The name of the server, by default the host name of its machine. */
  name: string;
  role: ServerRole;
  version: string;
  /** How many tasks it runs at once by its own settings; 0 for no limit. */
  max_parallel_tasks: number;
  /** How many tasks it is given at once, as was set for it; 0 for no limit. */
  most_tasks: Generated<number>;
  /** JSON: a list. */
  tags: Generated<string>;
  /** Whether it should get no more tasks. */
  draining: Generated<Flag>;
  /** Whether it has shut down cleanly; it then gets no task until it is back. */
  closed: Generated<Flag>;
  /** The load of its machine for each processor. */
  load: Generated<number>;
  out_of_room: Generated<number>;
  started: string;
  /** When it was last heard of, by the clock of the database. */
  last_seen: string;
  /** Whether it is a remote runner, which has no database and asks a server. */
  remote: Generated<Flag>;
  /** The hash of the token with which it may register once; null for none. */
  registration: Generated<string | null>;
  registration_expires: Generated<string | null>;
  /** The hash of its credential; null when it has not registered, or may not any more. */
  credential: Generated<string | null>;
  /** Its public key, for which secrets are encrypted: a JSON Web Key. */
  public_key: Generated<string | null>;
  /** When somebody has last asked it to clear what it keeps for later runs; null: never. */
  cleaning_requested: Generated<string | null>;
}

interface CallCounts {
  /** The hash of an endpoint and a client address. */
  key: string;
  calls: number;
  ends: string;
}

export interface RunnerTables {
  call_counts: CallCounts;
  runners: Runners;
}
