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

/** Stores accept both. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export const databaseFile = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'signalbox.db');

/** `url`: `sqlite:<file>` or `postgres://…`. A statement waits for a pool connection for a limited time. */
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

/** Whether a statement has failed on a full disk since the last call of `noteRoom`. */
export const hasFoundNoRoom = (db: Kysely<Tables>): boolean => full.has(db);
export const noteRoom = (db: Kysely<Tables>): boolean => full.delete(db);

const MAX_CONNECTION_WAIT_MS = 15_000;

function sqlite(file: string): SqliteDialect {
  restrictToOwner(file);
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // In WAL mode, NORMAL is safe against process crashes.
  database.pragma('synchronous = NORMAL');
  database.pragma('busy_timeout = 5000');
  database.pragma('foreign_keys = ON');
  // 32 MiB of page cache; the default is 2 MiB.
  database.pragma('cache_size = -32768');
  // SQLite's own `lower` knows ASCII letters only.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return new OwnSqlite(database);
}

// Only the user of the server may read the files, whatever the umask is.
const OWNER_ONLY = 0o600;

/** SQLite creates these files with the mode of the database. */
const companions = ['-wal', '-shm', '-journal'];

function restrictToOwner(file: string): void {
  createFile(file);
  for (const path of [file, ...companions.map((suffix) => file + suffix)]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && (stat.mode & 0o777) !== OWNER_ONLY) chmodSync(path, OWNER_ONLY);
  }
}

function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch {
    // The file exists, or SQLite reports why it cannot be created.
  }
}

/** Kysely's SQLite dialect with a statement cache. */
class OwnSqlite extends SqliteDialect {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    super({ database: new KeptStatements(database) });
    this.#database = database;
  }

  /** On a full disk SQLite rolls back by itself, and another rollback would fail. */
  override createDriver(): Driver {
    const driver = super.createDriver();
    const rollBack = driver.rollbackTransaction.bind(driver);
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      if (this.#database.inTransaction) await rollBack(connection);
    };
    return driver;
  }
}

const postgres = (connectionString: string, connectionWaitMs: number): PostgresDialect =>
  new PostgresDialect({ pool: () => openPool(connectionString, connectionWaitMs) });

// Ends idle transactions. Otherwise PostgreSQL would keep the locks of a server that has lost its network
// for hours, and no other server could take over its tasks.
const MAX_PAUSE_IN_TRANSACTION_MS = 10_000;

/** Ends sessions of unresponsive clients. */
const giveUpOnSilence = `
  set idle_in_transaction_session_timeout = ${MAX_PAUSE_IN_TRANSACTION_MS};
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
`;

async function openPool(connectionString: string, connectionWaitMs: number): Promise<Pool> {
  const { Pool, PreparingClient } = await import('./pg.ts');
  // A statement that waits longer fails as if the database were unreachable, instead of hanging.
  const pool = new Pool({
    connectionString,
    Client: PreparingClient,
    max: 10,
    connectionTimeoutMillis: connectionWaitMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for this, which its types do not tell.
    onConnect: async (client) => void (await client.query(giveUpOnSilence)),
  });
  // The pool replaces broken idle connections; without this listener the error would crash the process.
  pool.on('error', () => undefined);
  // The same for a connection in use, whose statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
