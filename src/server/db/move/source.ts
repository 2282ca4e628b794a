// The SQLite file from which an installation is moved. The move does not change its data.

import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { ConfigError } from '../../../node/config-error.ts';
import { databaseFailure } from '../failure.ts';
import type { Tables } from '../tables.ts';
import { quoted, type Table, type Values } from './table.ts';

const notOurs = (name: string): boolean => /^(?:sqlite|kysely)_/.test(name);

export class Source {
  readonly db: Kysely<Tables>;
  readonly #database: Database.Database;
  readonly #file: string;

  /**
   * Opens the file exclusively. Every program that has a file in WAL mode open, also an idle server,
   * has a shared lock on it. So the exclusive lock is granted only when no program has the file open,
   * and no program can open it until the lock is released.
   */
  constructor(file: string) {
    if (!existsSync(file)) throw new ConfigError(`There is no file ${file} to move.`);
    this.#file = file;
    this.#database = new Database(file, { timeout: 0, fileMustExist: true });
    this.db = new Kysely({ dialect: new SqliteDialect({ database: this.#database }) });
    try {
      this.#database.pragma('locking_mode = EXCLUSIVE');
      this.#database.exec('begin immediate; commit');
      // Writes the journal that a killed server has left into the file.
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
      this.#database.pragma('query_only = ON');
    } catch (error) {
      this.#database.close();
      throw refused(file, error);
    }
  }

  /** A text that changes with every write to the file. */
  get state(): string {
    const { size, mtimeNs } = statSync(this.#file, { bigint: true });
    return `${size} ${mtimeNs}`;
  }

  /** The names of the migrations that ran on the file. */
  migrations(): string[] {
    if (this.#database.pragma('table_info(kysely_migration)', { simple: true }) === undefined) {
      return [];
    }
    return this.#database.prepare('select name from kysely_migration').pluck().all() as string[];
  }

  tables(): Table[] {
    const names = this.#database
      .prepare("select name from sqlite_master where type = 'table' order by name")
      .pluck()
      .all() as string[];
    return names.filter((name) => !notOurs(name)).map((name) => this.#table(name));
  }

  #table(name: string): Table {
    const columns = this.#database
      .prepare('select name, pk from pragma_table_info(?) order by name')
      .all(name) as { name: string; pk: number }[];
    const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
    return { name, columns: columns.map((column) => column.name), key: key.map((one) => one.name) };
  }

  count({ name }: Table): number {
    return this.#database
      .prepare(`select count(*) from ${quoted(name)}`)
      .pluck()
      .get() as number;
  }

  /** Yields the rows after a key, in the order of the primary key. */
  rows({ name, columns, key }: Table, after: Values | null = null): Iterable<Values> {
    const order = key.map(quoted).join(', ');
    const where = after ? `where (${order}) > (${key.map(() => '?').join(', ')})` : '';
    return this.#database
      .prepare(
        `select ${columns.map(quoted).join(', ')} from ${quoted(name)} ${where} order by ${order}`,
      )
      .raw()
      .iterate(...(after ?? [])) as Iterable<Values>;
  }

  /** The highest id that a table has ever used. */
  lastId({ name }: Table): number {
    const row = this.#database
      .prepare('select coalesce(max(seq), 0) from sqlite_sequence where name = ?')
      .pluck()
      .get(name);
    return row as number;
  }

  close(): Promise<void> {
    return this.db.destroy();
  }
}

function refused(file: string, error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  if (code.startsWith('SQLITE_BUSY')) {
    return new ConfigError(
      `A server or another program works on ${file}. Stop it, and start the move again.`,
    );
  }
  if (code === 'SQLITE_NOTADB') return new ConfigError(`${file} is not an SQLite database.`);
  return databaseFailure(file, error) ?? error;
}
