import type { Generated } from 'kysely';
import type { ServerRole } from '#shared/api/runners.ts';
import type { Flag } from './columns.ts';

export interface RunnerTables {
  call_counts: {
    key: string;
    calls: number;
    ends: string;
  };
  runners: {
    id: Generated<number>;
    /** Null: all projects. */
    project_id: Generated<number | null>;
    /** Stored in the data folder, stable across restarts. */
    uid: string;
    session: string;
    /** By default the host name. */
    name: string;
    role: ServerRole;
    version: string;
    /** Its own limit; 0 for no limit. */
    max_parallel_tasks: number;
    /** The administrator's limit; 0 for no limit. */
    most_tasks: Generated<number>;
    tags: Generated<string>;
    draining: Generated<Flag>;
    closed: Generated<Flag>;
    load: Generated<number>;
    out_of_room: Generated<number>;
    /** Such as `podman 4.3.1`; empty for none. */
    /** Null: its version knows no execution environments. */
    container_engine: string | null;
    started: string;
    /** The last heartbeat, by the clock of the database. */
    last_seen: string;
    /** A remote runner has no database access. */
    remote: Generated<Flag>;
    /** The hash of its one-time token; null for none. */
    registration: Generated<string | null>;
    registration_expires: Generated<string | null>;
    /** Hashed; null when not registered or revoked. */
    credential: Generated<string | null>;
    /** JSON Web Key, to which secrets are encrypted. */
    public_key: Generated<string | null>;
    /** The last request to clear its caches; null: never. */
    cleaning_requested: Generated<string | null>;
  };
}
