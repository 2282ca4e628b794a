// Migrates the tables to the newest version: all migrations or none, by one server at a time.

import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { isDiskFull } from '../../../runner/system/full.ts';
import { migrations } from './index.ts';
import { isSqlite } from '../row.ts';
import type { Tables } from '../tables.ts';

/** Runs the missing migrations; answers their names. */
export async function migrate(db: Kysely<Tables>): Promise<string[]> {
  // On PostgreSQL Kysely's migrator takes a lock and begins a transaction itself.
  if (!isSqlite(db as never)) return migrateToLatest(db);
  return db.connection().execute(async (connection) => {
    // An immediate transaction makes a second process wait here instead of failing half-way.
    await sql`begin immediate`.execute(connection);
    try {
      const names = await migrateToLatest(connection);
      await sql`commit`.execute(connection);
      return names;
    } catch (error) {
      // On a full disk SQLite has already ended the transaction itself.
      if (!isDiskFull(error)) await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

/** A newer version has migrated the database, whose tables this version may not understand. */
export class NewerDatabase extends Error {
  constructor(name: string) {
    super(
      `The database was brought to the form of a newer version of Signalbox (${name}). Start that version or a later one, or restore a backup from before.`,
    );
  }
}

async function refuseNewer(db: Kysely<Tables>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === migrationTable)) return;
  const run = await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(
    db,
  );
  const newer = run.rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (newer) throw new NewerDatabase(newer.name);
}

const migrationTable = 'kysely_migration';

async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  await refuseNewer(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find((result) => result.status === 'Error');
    // When no migration failed, the database could not be read at all.
    if (!failed) throw error;
    throw new Error(`The migration ${failed.migrationName} failed`, { cause: error });
  }
  return results.map((result) => result.migrationName);
}
