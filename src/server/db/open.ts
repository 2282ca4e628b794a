// One URL → the database: `sqlite:<file>` or `postgres://…`.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, type Transaction } from 'kysely';
import { Pool, types } from 'pg';
import type { Config } from '../config.ts';
import type { Tables } from './tables.ts';

/** The database, or a transaction in it: a store does not care which. */
export type Db = Kysely<Tables> | Transaction<Tables>;

// Ids are bigint there; they stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

/** Where SQLite keeps an installation. */
export const databaseFile = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'signalbox.db');

export function openDatabase(url: string): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: url.startsWith('sqlite:') ? sqlite(url.slice('sqlite:'.length)) : postgres(url),
  });
}

function sqlite(file: string): SqliteDialect {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // With WAL this loses nothing when the process is killed.
  database.pragma('synchronous = NORMAL');
  database.pragma('busy_timeout = 5000');
  database.pragma('foreign_keys = ON');
  // 32 MiB of what was read last stay at hand; it begins with 2.
  database.pragma('cache_size = -32768');
  // Its own knows only the letters of ASCII.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return new SqliteDialect({ database });
}

function postgres(connectionString: string): PostgresDialect {
  const pool = new Pool({ connectionString, max: 10 });
  // The pool drops an idle connection that breaks; the next query opens another. Without a
  // listener it would end the process.
  pool.on('error', () => undefined);
  // The same of a connection that is in use: its statement fails and says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new PostgresDialect({ pool });
}
