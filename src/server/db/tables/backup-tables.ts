// The table of the scheduled backups of the installation.

import type { Generated } from 'kysely';

interface InstallationBackups {
  id: Generated<number>;
  /** The due time, which only one server takes. */
  due: string;
  /** The name and the data folder of the server that makes it. */
  server: string;
  started: string;
  /** Null while it is made, and when its server has ended meanwhile. */
  end: string | null;
  /** Its path; null when it has failed, and when it was removed since. */
  file: string | null;
  bytes: number | null;
  /** Why it has failed: an English sentence. */
  failure: string | null;
}

export interface BackupTables {
  installation_backups: InstallationBackups;
}
