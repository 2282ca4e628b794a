// Makes one SQLite database with the tables, and copies it for each test that asks.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/server/config/config.ts';
import { migrate } from '../../src/server/db/migrations/migrate.ts';
import { databaseFile, openDatabase } from '../../src/server/db/open.ts';

let migrated: Promise<Buffer> | undefined;

/** Puts a copy into the folder of a server that has not begun. */
export async function freshSqlite(config: Pick<Config, 'dataDir'>): Promise<void> {
  migrated ??= make();
  await writeFile(databaseFile(config), await migrated, { flag: 'wx' });
}

async function make(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-migrated-'));
  const file = databaseFile({ dataDir });
  const db = openDatabase(`sqlite:${file}`);
  await migrate(db);
  // Closing the last connection writes everything into the file itself.
  await db.destroy();
  const content = await readFile(file);
  await rm(dataDir, { recursive: true });
  return content;
}
