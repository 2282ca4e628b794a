import type { Generated } from 'kysely';

interface InstallationBackups {
  id: Generated<number>;
  /** Unique, so that one server claims it. */
  due: string;
  /** Name and data folder of the server. */
  server: string;
  started: string;
  /** Null while running, and after a crash. */
  end: string | null;
  /** Null after a failure or removal. */
  file: string | null;
  bytes: number | null;
  /** An English sentence. */
  failure: string | null;
}

export interface BackupTables {
  installation_backups: InstallationBackups;
}
