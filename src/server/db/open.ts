// Opens the database of an address: `sqlite:<file>` or `postgres://…`.

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
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
import type { Config } from '../config/config.ts';
import { KeptStatements } from './kept-statements.ts';
import { isDiskFull } from '../../node/fs/disk-full.ts';
import type { Pool } from './pg.ts';
import type { Tables } from './tables.ts';

/** The database, or a transaction in it; stores accept both. */
export type Db = Kysely<Tables> | Transaction<Tables>;

/** The path of the SQLite database of an installation. */
export const databaseFile = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'signalbox.db');

/** Opens the database. `connectionWaitMs` is how long a statement waits for a connection to PostgreSQL. */
export function openDatabase(
  url: string,
  connectionWaitMs = MAX_CONNECTION_WAIT_MS,
): Kysely<Tables> {
  const isSqlite = url.startsWith('sqlite:');
  const db = new Kysely<Tables>({
    dialect: isSqlite ? sqlite(url.slice('sqlite:'.length)) : postgres(url, connectionWaitMs),
    log: (event) => {
      if (event.level === 'error' && isDiskFull(event.error)) full.add(db);
    },
  });
  return db;
}

const full = new WeakSet<Kysely<Tables>>();

/** Whether a statement has failed on a full disk since `noteRoom` was last called. */
export const hasFoundNoRoom = (db: Kysely<Tables>): boolean => full.has(db);
export const noteRoom = (db: Kysely<Tables>): boolean => full.delete(db);

// How long a statement waits for a connection.
const MAX_CONNECTION_WAIT_MS = 15_000;

function sqlite(file: string): SqliteDialect {
  keepToOwner(file);
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // In WAL mode, NORMAL loses nothing when the process is killed.
  database.pragma('synchronous = NORMAL');
  database.pragma('busy_timeout = 5000');
  database.pragma('foreign_keys = ON');
  // The page cache holds 32 MiB; SQLite's default is 2 MiB.
  database.pragma('cache_size = -32768');
  // SQLite's own `lower` knows ASCII letters only.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return new OwnSqlite(database);
}

const ofOwner = 0o600;

/** The endings of the files beside a database. SQLite creates them with the mode of the database. */
const companions = ['-wal', '-shm', '-journal'];

/**
 * Creates the database file if it is missing, and makes the files of SQLite readable by the user of the
 * server only, whatever the umask is.
 */
function keepToOwner(file: string): void {
  makeEmpty(file);
  for (const path of [file, ...companions.map((suffix) => file + suffix)]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && (stat.mode & 0o777) !== ofOwner) chmodSync(path, ofOwner);
  }
}

function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', ofOwner));
  } catch {
    // The file exists, or SQLite reports why it cannot be created.
  }
}

/** Kysely's SQLite, whose statements are kept. */
class OwnSqlite extends SqliteDialect {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    super({ database: new KeptStatements(database) });
    this.#database = database;
  }

  /** On a full disk SQLite ends a transaction by itself, and a rollback would then be an error. */
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
const postgres = (connectionString: string, connectionWaitMs: number): PostgresDialect =>
  new PostgresDialect({ pool: () => openPool(connectionString, connectionWaitMs) });

// How long PostgreSQL waits for the next statement of a transaction. When the machine of a server
// loses its network, PostgreSQL hears nothing of it, and would keep the locks of an open transaction
// for hours: no other server could then take over the tasks of the lost one.
const MAX_PAUSE_IN_TRANSACTION_MS = 10_000;

/** Makes PostgreSQL end sessions whose client is silent: in a transaction, or at all. */
const giveUpOnSilence = `
  set idle_in_transaction_session_timeout = ${MAX_PAUSE_IN_TRANSACTION_MS};
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
`;

async function openPool(connectionString: string, connectionWaitMs: number): Promise<Pool> {
  const { Pool, PreparingClient } = await import('./pg.ts');
  // A statement that waits longer fails as if the database could not be reached: the database does not
  // answer, or all connections are busy. Without a limit the server would hang silently.
  const pool = new Pool({
    connectionString,
    Client: PreparingClient,
    max: 10,
    connectionTimeoutMillis: connectionWaitMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for this, which its types do not tell.
    onConnect: async (client) => void (await client.query(giveUpOnSilence)),
  });
  // When an idle connection breaks, the pool drops it and the next query opens another one. Without
  // this listener the error would end the process.
  pool.on('error', () => undefined);
  // The same for a connection in use: its statement fails and reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
