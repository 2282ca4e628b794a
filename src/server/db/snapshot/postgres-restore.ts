// Restores a dump into a PostgreSQL database. While a restore is under way, an extra table marks the
// database, and no server starts on it (see `move/unfinished.ts`).

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';
import { restoreMark } from '../move/unfinished.ts';
import { quoted } from '../row.ts';
import { PgSession } from '../pg-session.ts';
import { runPostgres, versionOf, type DatabaseAddress } from './postgres-programs.ts';
import { replacedPrefix } from './postgres-snapshot.ts';

export class PostgresTarget extends PgSession {
  readonly #address: DatabaseAddress;
  #aside: string | null = null;
  #isBegun = false;

  constructor(address: DatabaseAddress) {
    super(address.url, 'signalbox restore');
    this.#address = address;
  }

  /** Takes the lock of restores, which is released with the connection. */
  override async connect(): Promise<void> {
    await super.connect();
    const lock = await this.first<{ isTaken: boolean }>(
      `select pg_try_advisory_lock(hashtext('signalbox restore')) as "isTaken"`,
    );
    if (!lock?.isTaken) throw new ConfigError('Another restore into this database is at work.');
  }

  /** Throws unless pg_restore is installed. */
  async requireProgram(): Promise<void> {
    await versionOf(this.#address, 'pg_restore');
  }

  async #tables(): Promise<string[]> {
    return (await this.listTables()).filter((name) => name !== restoreMark);
  }

  /** Whether the database holds nothing, or only what an interrupted restore has left. */
  async isEmpty(): Promise<boolean> {
    return (await this.hasTable(restoreMark)) || (await this.#tables()).length === 0;
  }

  /** Throws if somebody else works on the database, such as a server. */
  async requireAlone(): Promise<void> {
    const found = await this.first<{ count: number }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend'`,
    );
    if ((found?.count ?? 0) === 0) return;
    throw new ConfigError(
      'Somebody else is connected to the database that SIGNALBOX_DATABASE_URL names. Stop every server that uses it first.',
    );
  }

  /** Marks the database and makes room: tables go into the schema `aside`, and are not removed. */
  async begin(aside: string): Promise<void> {
    await this.transaction(async () => {
      const tables = await this.#tables();
      if (await this.hasTable(restoreMark)) return this.#drop(tables);
      await this.query(`create table ${restoreMark} (begun text not null)`);
      if (tables.length === 0) return;
      this.#aside = replacedPrefix + aside;
      await this.query(`create schema ${quoted(this.#aside)}`);
      for (const name of tables) {
        await this.query(`alter table ${quoted(name)} set schema ${quoted(this.#aside)}`);
      }
    });
    this.#isBegun = true;
  }

  async #drop(tables: string[]): Promise<void> {
    if (tables.length > 0) await this.query(`drop table ${tables.map(quoted).join(', ')} cascade`);
  }

  /** Restores the dump, whole or not at all, and compares the rows of each table. */
  async fill(dump: string, rows: Record<string, number>): Promise<void> {
    const { stdout } = await runPostgres(this.#address, 'pg_restore', ['--list', dump]);
    const list = join(this.#address.folder, 'restore.list');
    // The schema of the tables is there already.
    const entries = stdout
      .split('\n')
      .filter((line) => !/^\d+; \d+ \d+ (?:SCHEMA|COMMENT) /.test(line));
    await writeFile(list, entries.join('\n'), { mode: 0o600 });
    const database = decodeURIComponent(new URL(this.#address.url).pathname.slice(1));
    await runPostgres(this.#address, 'pg_restore', [
      '--single-transaction',
      '--exit-on-error',
      '--no-owner',
      '--no-privileges',
      `--use-list=${list}`,
      `--dbname=dbname='${database.replaceAll(/[\\']/g, '\\$&')}'`,
      dump,
    ]);
    const found = await this.countAllRows(await this.#tables());
    const wrong = [...new Set([...Object.keys(rows), ...Object.keys(found)])].filter(
      (name) => rows[name] !== found[name],
    );
    if (wrong.length > 0) {
      throw new ConfigError(`The dump has other rows than the backup says: ${wrong.join(', ')}.`);
    }
    await this.query('analyze');
  }

  /** Removes the mark: servers may start. Returns the schema of the tables that were there before. */
  async finish(): Promise<string | null> {
    await this.query(`drop table ${restoreMark}`);
    this.#isBegun = false;
    return this.#aside;
  }

  /** Puts back what was there before, unless the restore has come to its end. */
  async undo(): Promise<void> {
    if (!this.#isBegun) return;
    const aside = this.#aside;
    await this.transaction(async () => {
      await this.#drop(await this.#tables());
      if (aside !== null) {
        const kept = await this.query<{ name: string }>(
          'select table_name as name from information_schema.tables where table_schema = $1',
          [aside],
        );
        const [own] = await this.query<{ name: string }>('select current_schema() as name');
        for (const { name } of kept) {
          const table = `${quoted(aside)}.${quoted(name)}`;
          await this.query(`alter table ${table} set schema ${quoted(own?.name ?? '')}`);
        }
        await this.query(`drop schema ${quoted(aside)}`);
      }
      await this.query(`drop table ${restoreMark}`);
    });
  }
}
