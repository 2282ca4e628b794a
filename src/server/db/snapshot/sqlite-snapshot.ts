// Copies the SQLite database of a running server, and verifies copies.

import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ConfigError } from '../../../node/config-error.ts';
import { databaseFailure } from '../failure.ts';
import { quoted } from '../row.ts';
import type { Snapshot } from './snapshot.ts';

const ALL_PAGES = 0x7fff_ffff;
const LOCK_TIMEOUT_MS = 10_000;

export async function copySqlite(file: string, copy: string): Promise<void> {
  if (!existsSync(file)) throw new ConfigError(`There is no database ${file} to back up.`);
  // Created before SQLite opens it, with safe permissions whatever the umask is.
  closeSync(openSync(copy, 'wx', 0o600));
  await explained(file, async () => {
    const database = new Database(file, {
      readonly: true,
      fileMustExist: true,
      timeout: LOCK_TIMEOUT_MS,
    });
    try {
      // A single step is one read transaction; several steps would restart after each write of others.
      await database.backup(copy, { progress: () => ALL_PAGES });
    } finally {
      database.close();
    }
  });
}

/** `isChecked` verifies the whole copy; throws a ConfigError if it is damaged. */
export function openCopy(copy: string, isChecked: boolean): Promise<Snapshot> {
  return explained(copy, () => {
    const database = new Database(copy, { readonly: true, fileMustExist: true });
    try {
      const found = isChecked ? database.pragma('integrity_check(1)', { simple: true }) : 'ok';
      if (found !== 'ok') {
        throw new ConfigError(`The copy of the database is damaged: ${String(found)}.`);
      }
      return Promise.resolve(describe(database));
    } finally {
      database.close();
    }
  });
}

function describe(database: Database.Database): Snapshot {
  const list = (statement: string): string[] =>
    database.prepare(statement).pluck().all() as string[];
  const tables = list("select name from sqlite_master where type = 'table' order by name");
  if (!tables.includes('kysely_migration')) {
    throw new ConfigError('The database holds no installation of Signalbox.');
  }
  const rows = tables
    .filter((name) => !/^(?:sqlite|kysely)_/.test(name))
    .map((name) => [name, Number(list(`select count(*) from ${quoted(name)}`)[0])]);
  return {
    engine: 'sqlite',
    migrations: list('select name from kysely_migration order by name'),
    rows: Object.fromEntries(rows) as Snapshot['rows'],
    repositories: list(
      "select git_url from repositories where git_url like '/%' or git_url like 'file:%'",
    ),
  };
}

async function explained<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw databaseFailure(file, error) ?? error;
  }
}
