// Restores a dump into a PostgreSQL database. While a restore is under way, an extra table marks the
// database, and no server starts on it (see `move/unfinished.ts`).

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../../node/config-error.ts';
import { restoreMark } from '../move/unfinished.ts';
import { quoted } from '../move/table.ts';
import { Client } from '../pg.ts';
import { runPostgres, versionOf, type DatabaseAddress } from './postgres-programs.ts';
import { replacedPrefix } from './postgres-snapshot.ts';

export class PostgresTarget {
  readonly #client: Client;
  readonly #place: DatabaseAddress;
  #aside: string | null = null;
  #isBegun = false;

  constructor(place: DatabaseAddress) {
    this.#place = place;
    this.#client = new Client({
      connectionString: place.url,
      application_name: 'signalbox restore',
    });
    // When the connection breaks, the next query fails.
    this.#client.on('error', () => undefined);
  }

  /** Connects, and takes the lock of restores, which lasts until the connection ends. */
  async connect(): Promise<void> {
    await this.#client.connect();
    const [lock] = await this.#ask<{ isTaken: boolean }>(
      `select pg_try_advisory_lock(hashtext('signalbox restore')) as "isTaken"`,
    );
    if (!lock?.isTaken) throw new ConfigError('Another restore into this database is at work.');
  }

  /** Throws unless pg_restore is installed. */
  async requireProgram(): Promise<void> {
    await versionOf(this.#place, 'pg_restore');
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #ask<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query(text, values)).rows as Row[];
  }

  async #whole(work: () => Promise<void>): Promise<void> {
    await this.#ask('begin');
    try {
      await work();
      await this.#ask('commit');
    } catch (error) {
      await this.#ask('rollback');
      throw error;
    }
  }

  async #tables(): Promise<string[]> {
    const rows = await this.#ask<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> $1
       order by table_name`,
      [restoreMark],
    );
    return rows.map(({ name }) => name);
  }

  async #isMarked(): Promise<boolean> {
    const [found] = await this.#ask<{ name: string | null }>('select to_regclass($1) as name', [
      restoreMark,
    ]);
    return Boolean(found?.name);
  }

  /** Whether the database holds nothing, or only what an interrupted restore has left. */
  async isEmpty(): Promise<boolean> {
    return (await this.#isMarked()) || (await this.#tables()).length === 0;
  }

  /** Throws if somebody else works on the database, such as a server. */
  async requireAlone(): Promise<void> {
    const [found] = await this.#ask<{ count: number }>(
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
    await this.#whole(async () => {
      const tables = await this.#tables();
      if (await this.#isMarked()) return this.#drop(tables);
      await this.#ask(`create table ${restoreMark} (begun text not null)`);
      if (tables.length === 0) return;
      this.#aside = replacedPrefix + aside;
      await this.#ask(`create schema ${quoted(this.#aside)}`);
      for (const name of tables) {
        await this.#ask(`alter table ${quoted(name)} set schema ${quoted(this.#aside)}`);
      }
    });
    this.#isBegun = true;
  }

  async #drop(tables: string[]): Promise<void> {
    if (tables.length > 0) await this.#ask(`drop table ${tables.map(quoted).join(', ')} cascade`);
  }

  /** Restores the dump, whole or not at all, and compares the rows of each table. */
  async fill(dump: string, rows: Record<string, number>): Promise<void> {
    const { stdout } = await runPostgres(this.#place, 'pg_restore', ['--list', dump]);
    const list = join(this.#place.folder, 'restore.list');
    // The schema of the tables is there already.
    const entries = stdout
      .split('\n')
      .filter((line) => !/^\d+; \d+ \d+ (?:SCHEMA|COMMENT) /.test(line));
    await writeFile(list, entries.join('\n'), { mode: 0o600 });
    const database = decodeURIComponent(new URL(this.#place.url).pathname.slice(1));
    await runPostgres(this.#place, 'pg_restore', [
      '--single-transaction',
      '--exit-on-error',
      '--no-owner',
      '--no-privileges',
      `--use-list=${list}`,
      `--dbname=dbname='${database.replaceAll(/[\\']/g, '\\$&')}'`,
      dump,
    ]);
    const found: Record<string, number> = {};
    for (const name of await this.#tables()) {
      if (name.startsWith('kysely_')) continue;
      const [counted] = await this.#ask<{ count: number }>(`select count(*) from ${quoted(name)}`);
      found[name] = counted?.count ?? 0;
    }
    const wrong = [...new Set([...Object.keys(rows), ...Object.keys(found)])].filter(
      (name) => rows[name] !== found[name],
    );
    if (wrong.length > 0) {
      throw new ConfigError(`The dump has other rows than the backup says: ${wrong.join(', ')}.`);
    }
    await this.#ask('analyze');
  }

  /** Removes the mark: servers may start. Returns the schema of the tables that were there before. */
  async finish(): Promise<string | null> {
    await this.#ask(`drop table ${restoreMark}`);
    this.#isBegun = false;
    return this.#aside;
  }

  /** Puts back what was there before, unless the restore has come to its end. */
  async undo(): Promise<void> {
    if (!this.#isBegun) return;
    const aside = this.#aside;
    await this.#whole(async () => {
      await this.#drop(await this.#tables());
      if (aside !== null) {
        const kept = await this.#ask<{ name: string }>(
          'select table_name as name from information_schema.tables where table_schema = $1',
          [aside],
        );
        const [own] = await this.#ask<{ name: string }>('select current_schema() as name');
        for (const { name } of kept) {
          const table = `${quoted(aside)}.${quoted(name)}`;
          await this.#ask(`alter table ${table} set schema ${quoted(own?.name ?? '')}`);
        }
        await this.#ask(`drop schema ${quoted(aside)}`);
      }
      await this.#ask(`drop table ${restoreMark}`);
    });
  }
}
