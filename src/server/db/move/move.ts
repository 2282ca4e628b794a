// Moves an installation from SQLite to PostgreSQL: the target is marked → each table is copied in the order
// of its primary key, so that an interrupted move resumes after the last row → both sides are compared →
// references are checked and the mark is removed.

import { ConfigError } from '../../../node/config-error.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { openDatabase } from '../open.ts';
import { requireSuitablePostgres } from '../suitable-postgres.ts';
import type { Source } from './source.ts';
import { digest, type Digest, type Table, type Values } from './table.ts';
import { Target } from './target.ts';

const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

const MESSAGE_INTERVAL_MS = 2000;

export interface Compared {
  table: string;
  sqlite: Digest;
  postgres: Digest;
  isEqual: boolean;
}

export interface Move {
  source: Source;
  /** The identity of the installation. */
  identity: string;
  url: string;
  tell: (text: string) => void;
}

/** Returns the comparison of all tables. No server starts on the target while a table differs. */
export async function moveInstallation(move: Move): Promise<Compared[]> {
  const { source, url, tell } = move;
  requireNewest(source);
  const tables = source.tables();
  const target = new Target(url);
  try {
    await target.connect();
    await begin(move, target);
    for (const table of tables) await copy(move, target, table);
    for (const table of tables) await target.setLastId(table, source.lastId(table));
    tell('Comparing both databases row by row.');
    const compared: Compared[] = [];
    for (const table of tables) compared.push(await compare(move, target, table));
    if (compared.every(({ isEqual }) => isEqual)) await target.removeMark();
    return compared;
  } finally {
    await target.close();
  }
}

async function begin({ source, identity, url, tell }: Move, target: Target): Promise<void> {
  const tables = source.tables();
  const origin = { source: identity, state: source.state };
  const found = await target.findMark();
  if (!found) await prepare(url);
  requireSameShape(tables, await target.columns());
  if (!found) {
    if (!(await target.isEmpty(tables))) throw notEmpty();
    return target.setMark(origin);
  }
  if (found.source !== identity) throw notEmpty();
  if (found.state === origin.state) return tell('Going on where the last move ended.');
  tell('The SQLite database has changed since the last move began: beginning again.');
  return target.beginAnew(tables, origin);
}

function requireNewest(source: Source): void {
  const has = new Set(source.migrations());
  const known = Object.keys(migrations);
  if (known.some((name) => !has.has(name))) {
    throw new ConfigError(
      'The SQLite database is of an earlier version. Without SIGNALBOX_DATABASE_URL, run ' +
        '"signalbox migrate" first.',
    );
  }
  if (has.size > known.length) {
    throw new ConfigError('The SQLite database is of a later version than this program.');
  }
}

async function prepare(url: string): Promise<void> {
  await requireSuitablePostgres(url);
  const db = openDatabase(url);
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

function requireSameShape(tables: Table[], columns: Map<string, string[]>): void {
  const here = tables.map(({ name, columns: own }) => [name, own]);
  if (JSON.stringify(here) === JSON.stringify([...columns])) return;
  throw new ConfigError(
    'The PostgreSQL database has other tables than the SQLite database. Name an empty one.',
  );
}

const notEmpty = (): ConfigError =>
  new ConfigError(
    'The database that SIGNALBOX_DATABASE_URL names holds something else already. Name an empty one.',
  );

async function copy({ source, tell }: Move, target: Target, table: Table): Promise<void> {
  const total = source.count(table);
  let done = await target.countRows(table.name);
  let lastMessage = Date.now();
  if (done < total) {
    const after = await target.lastKey(table);
    for (const batch of batches(source.rows(table, after))) {
      await target.insert(table, batch).catch((error: unknown) => {
        const { message } = error as Error;
        throw new Error(`Rows of ${table.name} cannot be moved: ${message}`, { cause: error });
      });
      done += batch.length;
      if (Date.now() - lastMessage < MESSAGE_INTERVAL_MS) continue;
      lastMessage = Date.now();
      tell(`${table.name}: ${counted(done)} of ${counted(total)}`);
    }
  }
  tell(`${table.name}: ${counted(done)}`);
}

function* batches(rows: Iterable<Values>): Iterable<Values[]> {
  let batch: Values[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

const sizeOf = (value: Values[number]): number =>
  typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;

async function compare({ source }: Move, target: Target, table: Table): Promise<Compared> {
  const sqlite = await digest(source.rows(table));
  const postgres = await digest(target.rows(table));
  const isEqual = sqlite.rows === postgres.rows && sqlite.checksum === postgres.checksum;
  return { table: table.name, sqlite, postgres, isEqual };
}

export const counted = (count: number): string => count.toLocaleString('en');
