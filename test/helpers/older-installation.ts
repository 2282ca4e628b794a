// An installation whose database has the form of an earlier version.

import { Migrator, type Migration } from 'kysely/migration';
import type { Kysely } from 'kysely';
import { onTestFinished } from 'vitest';
import { migrations } from '../../src/server/db/migrations/index.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import type { Tables } from '../../src/server/db/tables.ts';
import { ownEngine } from './app.ts';
import type { Settings } from './command.ts';
import { freshPostgres } from './postgres.ts';
import { folder } from './seed.ts';

export interface OlderInstallation {
  dataDir: string;
  settings: Settings;
  /** A connection to its database. */
  db: Kysely<Tables>;
}

/** The names of all migrations, the oldest first. */
export const forms = Object.keys(migrations);

/** A database in which `form` is the newest migration; null: an empty one. */
export async function olderInstallation(form: string | null): Promise<OlderInstallation> {
  const dataDir = await folder();
  const postgres = ownEngine === 'postgres' ? await freshPostgres() : null;
  const db = openDatabase(postgres?.url ?? `sqlite:${dataDir}/signalbox.db`);
  onTestFinished(async () => {
    await db.destroy();
    await postgres?.drop();
  });
  if (form !== null) await migrateTo(db, form);
  const url = postgres && { SIGNALBOX_DATABASE_URL: postgres.url };
  return { dataDir, db, settings: { SIGNALBOX_DATA_DIR: dataDir, ...url } };
}

/** Runs the migrations up to `form`, as the version of that time did. */
export async function migrateTo(
  db: Kysely<Tables>,
  form: string,
  list: Record<string, Migration> = migrations,
): Promise<void> {
  const getMigrations = () => Promise.resolve(list);
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateTo(form);
  if (error) throw error;
}
