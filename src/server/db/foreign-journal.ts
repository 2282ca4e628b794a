// A killed program leaves a WAL, which SQLite replays into any database of this name.

import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ConfigError } from '../../node/config-error.ts';

// Larger files take many seconds, and are checked only if they look restored.
const MAX_CHECKED_BYTES = 512 * 1024 * 1024;

/** Throws ConfigError when database and WAL do not match. Changes neither file. */
export function refuseForeignJournal(file: string): void {
  const journal = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const database = statSync(file, { throwIfNoEntry: false });
  if (!journal?.size || !database?.size) return;
  const isOlder = journal.mtimeMs < database.mtimeMs;
  if (database.size > MAX_CHECKED_BYTES && !isOlder) return;
  const damage = damageOf(file);
  if (damage === null) return;
  throw new ConfigError(
    `The database ${file} and the journal ${file}-wal do not fit together (${damage}). If you have put the database back from a backup, the journal is of the one before: move ${file}-wal and ${file}-shm away, and start again. Otherwise the database is damaged: move all three away, and put one from a backup in their place.`,
  );
}

/** The result of quick_check including the WAL; null if intact. Does not checkpoint. */
function damageOf(file: string): string | null {
  try {
    const database = new Database(file, { readonly: true });
    try {
      const found = database.pragma('quick_check(1)', { simple: true });
      return found === 'ok' ? null : String(found).split('\n').join(' ').slice(0, 200);
    } finally {
      database.close();
    }
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    // Other errors are reported when the database is opened.
    return code.startsWith('SQLITE_CORRUPT') ? message : null;
  }
}
