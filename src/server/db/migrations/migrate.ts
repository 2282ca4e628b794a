// Migrates the tables to the newest version: all migrations or none, by one server at a time.

import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { isDiskFull } from '../../../node/fs/disk-full.ts';
import { version } from '../../../node/process/version.ts';
import { migrations } from './index.ts';
import { isSqlite } from '../row.ts';
import type { Tables } from '../tables.ts';

export interface MigrationRun {
  name: string;
  ms: number;
}

export interface MigrateOptions {
  /** Tests pass their own list. */
  list?: Record<string, Migration>;
  /**
   * Is called before the first migration of a database that has tables already, while no other
   * server can migrate. When it throws, no migration runs.
   */
  before?: (pending: PendingMigrations) => Promise<void>;
}

export interface PendingMigrations {
  /** The newest migration that the database has. */
  last: string;
  pending: string[];
}

/** Runs the missing migrations; answers their names. */
export async function migrate(db: Kysely<Tables>): Promise<string[]> {
  return (await runMigrations(db)).map(({ name }) => name);
}

/** Runs the missing migrations; returns which ran, and how long each took. */
export async function runMigrations(
  db: Kysely<Tables>,
  options: MigrateOptions = {},
): Promise<MigrationRun[]> {
  return isSqlite(db as never) ? onSqlite(db, options) : onPostgres(db, options);
}

async function onSqlite(db: Kysely<Tables>, options: MigrateOptions): Promise<MigrationRun[]> {
  return db.connection().execute(async (connection) => {
    // An immediate transaction makes a second process wait here instead of failing half-way.
    await sql`begin immediate`.execute(connection);
    try {
      const runs = await migrateToLatest(connection, options);
      await sql`commit`.execute(connection);
      return runs;
    } catch (error) {
      // On a full disk SQLite has already ended the transaction itself.
      if (!isDiskFull(error)) await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

// Any number that no other program uses on this database.
const upgradeLock = 7_446_251_942;

/**
 * Kysely's migrator takes a lock and begins a transaction itself. The lock around it also covers
 * what happens before the first migration.
 */
async function onPostgres(db: Kysely<Tables>, options: MigrateOptions): Promise<MigrationRun[]> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${upgradeLock})`.execute(connection);
    try {
      return await migrateToLatest(db, options);
    } finally {
      // PostgreSQL has freed the lock of a connection that is broken.
      await sql`select pg_advisory_unlock(${upgradeLock})`
        .execute(connection)
        .catch(() => undefined);
    }
  });
}

/** A newer version has migrated the database, whose tables this version may not understand. */
export class NewerDatabase extends Error {
  constructor(name: string, by: string | null, known: string) {
    const newer = by === null || by === version ? name : `${by}, ${name}`;
    super(
      `The database was brought to the form of a newer version of Signalbox (${newer}). This is version ${version}, which knows the forms up to ${known}. Start that version or a later one, or restore a backup from before.`,
    );
  }
}

/** A migration has failed, and the database is as it was. */
export class MigrationFailed extends Error {
  readonly migration: string;

  constructor(migration: string, cause: unknown) {
    super(`The migration ${migration} failed`, { cause });
    this.migration = migration;
  }
}

const migrationTable = 'kysely_migration';
const versionSetting = 'migrated_by_version';

/** Whether statements find this table. Another product may have one of the same name in another schema. */
async function hasTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const asked = isSqlite(db as never)
    ? sql<{
        name: string | null;
      }>`select name from sqlite_schema where type = 'table' and name = ${name}`
    : sql<{ name: string | null }>`select to_regclass(${name})::text as name`;
  const { rows } = await asked.execute(db);
  return Boolean(rows[0]?.name);
}

/** The schema of PostgreSQL in which statements find this table, or in which they would create it. */
async function schemaOf(db: Kysely<Tables>, name: string): Promise<string> {
  const { rows } = await sql<{ schema: string | null }>`
    select coalesce(
      (select relnamespace::regnamespace::name from pg_class where oid = to_regclass(${name})),
      current_schema()
    ) as schema`.execute(db);
  return rows[0]?.schema ?? 'public';
}

/** The migrations that the database has, in their order. */
async function findApplied(db: Kysely<Tables>): Promise<string[]> {
  if (!(await hasTable(db, migrationTable))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(migrationTable)}`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

async function refuseNewer(
  db: Kysely<Tables>,
  applied: string[],
  list: Record<string, Migration>,
): Promise<void> {
  const newer = applied.findLast((name) => !Object.hasOwn(list, name));
  if (newer === undefined) return;
  throw new NewerDatabase(newer, await findVersion(db), Object.keys(list).at(-1) ?? '');
}

/** The version that has migrated the database; null: it did not note it. */
async function findVersion(db: Kysely<Tables>): Promise<string | null> {
  if (!(await hasTable(db, 'settings'))) return null;
  const { rows } = await sql<{
    value: string;
  }>`select value from settings where name = ${versionSetting}`.execute(db);
  return rows[0]?.value ?? null;
}

async function migrateToLatest(
  db: Kysely<Tables>,
  { list = migrations, before }: MigrateOptions,
): Promise<MigrationRun[]> {
  const applied = await findApplied(db);
  await refuseNewer(db, applied, list);
  const pending = Object.keys(list).filter((name) => !applied.includes(name));
  const last = applied.at(-1);
  if (pending.length > 0 && last !== undefined) await before?.({ last, pending });
  const times = new Map<string, number>();
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(timed(list, times)) },
    ...(!isSqlite(db as never) && { migrationTableSchema: await schemaOf(db, migrationTable) }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find((result) => result.status === 'Error');
    // When no migration failed, the database could not be read at all.
    throw failed ? new MigrationFailed(failed.migrationName, error) : error;
  }
  return results.map(({ migrationName: name }) => ({ name, ms: times.get(name) ?? 0 }));
}

/** The same migrations, which note how many milliseconds each of them takes. */
function timed(
  list: Record<string, Migration>,
  times: Map<string, number>,
): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(list).map(([name, { up }]) => [
      name,
      {
        async up(db: Kysely<never>) {
          const begun = performance.now();
          await up(db);
          times.set(name, Math.round(performance.now() - begun));
        },
      },
    ]),
  );
}

/** Notes which version has migrated the database, for older ones that refuse to work on it. */
export async function noteVersion(db: Kysely<Tables>): Promise<void> {
  await sql`insert into settings (name, value) values (${versionSetting}, ${version})
    on conflict (name) do update set value = excluded.value`.execute(db);
}
