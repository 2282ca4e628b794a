// Brings the tables to the newest form, whole or not at all, one server at a time.

import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import { isSqlite } from './row.ts';
import type { Tables } from './tables.ts';

/** Runs what is missing; answers the names of the migrations that ran. */
export async function migrate(db: Kysely<Tables>): Promise<string[]> {
  // On PostgreSQL the migrator itself takes a lock and a transaction.
  if (!isSqlite(db as never)) return migrateToLatest(db);
  return db.connection().execute(async (connection) => {
    // Immediate: a second process waits here instead of failing half-way.
    await sql`begin immediate`.execute(connection);
    try {
      const names = await migrateToLatest(connection);
      await sql`commit`.execute(connection);
      return names;
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find((result) => result.status === 'Error');
    // Without one that failed, the database could not even be asked.
    if (!failed) throw error;
    throw new Error(`The migration ${failed.migrationName} failed`, { cause: error });
  }
  return results.map((result) => result.migrationName);
}
