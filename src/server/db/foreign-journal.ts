// Finds out whether the journal beside a database of SQLite belongs to it. A program that ends properly
// leaves none; one that was killed does, and SQLite then writes it into whatever file has the name.

import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ConfigError } from '../../node/config-error.ts';

// Bytes. To read more takes many seconds, so larger files are checked only if they look put back.
const soonRead = 512 * 1024 * 1024;

/** Throws ConfigError when the database is damaged by the journal beside it. Changes neither of the files. */
export function refuseForeignJournal(file: string): void {
  const journal = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const database = statSync(file, { throwIfNoEntry: false });
  if (!journal?.size || !database?.size) return;
  const isOlder = journal.mtimeMs < database.mtimeMs;
  if (database.size > soonRead && !isOlder) return;
  const damage = damageOf(file);
  if (damage === null) return;
  throw new ConfigError(
    `The database ${file} and the journal ${file}-wal do not fit together (${damage}). If you have put the database back from a backup, the journal is of the one before: move ${file}-wal and ${file}-shm away, and start again. Otherwise the database is damaged: move all three away, and put one from a backup in their place.`,
  );
}

/** What the first check of all pages finds, with the journal; null: nothing. A connection that only reads does not write the journal into the database. */
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
    // Whatever else is wrong is told when the database is opened.
    return code.startsWith('SQLITE_CORRUPT') ? message : null;
  }
}
