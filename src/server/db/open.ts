// One URL → the database: `sqlite:<file>` or `postgres://…`.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  Kysely,
  PostgresDialect,
  SqliteDialect,
  type DatabaseConnection,
  type Driver,
  type Transaction,
} from 'kysely';
import type { Config } from '../config.ts';
import { keepToOwner } from './file-modes.ts';
import { isDiskFull } from '../../runner/system/full.ts';
import type { Pool } from './pg.ts';
import type { Tables } from './tables.ts';

/** The database, or a transaction in it: a store does not care which. */
export type Db = Kysely<Tables> | Transaction<Tables>;

/** Where SQLite keeps an installation. */
export const databaseFile = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'signalbox.db');

/** `patience`: milliseconds that a statement waits for a connection to PostgreSQL. */
export function openDatabase(url: string, patience = longestWait): Kysely<Tables> {
  const isSqlite = url.startsWith('sqlite:');
  const db = new Kysely<Tables>({
    dialect: isSqlite ? sqlite(url.slice('sqlite:'.length)) : postgres(url, patience),
    log: (event) => {
      if (event.level === 'error' && isDiskFull(event.error)) full.add(db);
    },
  });
  return db;
}

const full = new WeakSet<Kysely<Tables>>();

/** Whether a statement has found no room since somebody last said that there is some. */
export const hasFoundNoRoom = (db: Kysely<Tables>): boolean => full.has(db);
export const noteRoom = (db: Kysely<Tables>): boolean => full.delete(db);

// Milliseconds.
const longestWait = 15_000;

function sqlite(file: string): SqliteDialect {
  keepToOwner(file);
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
  return new OwnSqlite(database);
}

class OwnSqlite extends SqliteDialect {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    super({ database });
    this.#database = database;
  }

  /** SQLite ends a transaction by itself when it finds no room, and complains if told to as well. */
  override createDriver(): Driver {
    const driver = super.createDriver();
    const rollBack = driver.rollbackTransaction.bind(driver);
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      if (this.#database.inTransaction) await rollBack(connection);
    };
    return driver;
  }
}

/** Kysely asks for the pool when the first statement is sent. */
const postgres = (connectionString: string, patience: number): PostgresDialect =>
  new PostgresDialect({ pool: () => openPool(connectionString, patience) });

async function openPool(connectionString: string, patience: number): Promise<Pool> {
  const { Pool } = await import('./pg.ts');
  // Whoever waits longer is told that the database cannot be reached: it does not answer, or all
  // connections are busy. For ever would be a server that hangs and says nothing.
  const pool = new Pool({ connectionString, max: 10, connectionTimeoutMillis: patience });
  // The pool drops an idle connection that breaks; the next query opens another. Without a
  // listener it would end the process.
  pool.on('error', () => undefined);
  // The same of a connection that is in use: its statement fails and says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
