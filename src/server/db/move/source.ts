// The SQLite file of a move, which is not changed.

import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { ConfigError } from '../../../node/config-error.ts';
import { databaseFailure } from '../failure.ts';
import type { Tables } from '../tables.ts';
import { quoted } from '../row.ts';
import type { Table, Values } from './table.ts';

const notOurs = (name: string): boolean => /^(?:sqlite|kysely)_/.test(name);

export class Source {
  readonly db: Kysely<Tables>;
  readonly #database: Database.Database;
  readonly #file: string;

  /**
   * Locks the file exclusively. Every program with the file open in WAL mode, also an idle server, has a
   * shared lock, so this fails while any other program has it open.
   */
  constructor(file: string) {
    if (!existsSync(file)) throw new ConfigError(`There is no file ${file} to move.`);
    this.#file = file;
    this.#database = new Database(file, { timeout: 0, fileMustExist: true });
    this.db = new Kysely({ dialect: new SqliteDialect({ database: this.#database }) });
    try {
      this.#database.pragma('locking_mode = EXCLUSIVE');
      this.#database.exec('begin immediate; commit');
      // Checkpoints the WAL of a killed server.
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
      this.#database.pragma('query_only = ON');
    } catch (error) {
      this.#database.close();
      throw refused(file, error);
    }
  }

  /** Changes with every write to the file. */
  get state(): string {
    const { size, mtimeNs } = statSync(this.#file, { bigint: true });
    return `${size} ${mtimeNs}`;
  }

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

  /** Ordered by primary key. */
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
