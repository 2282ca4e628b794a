// An installation that moves from SQLite to PostgreSQL.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import type { Tables } from '../../src/server/db/tables.ts';
import { testApp, type TestApp } from './app.ts';
import type { Settings } from './command.ts';
import { freshPostgres } from './postgres.ts';

/** The arguments of the command. */
export const from = ['migrate', '--from', 'sqlite'];

interface Moving {
  app: TestApp;
  file: string;
  url: string;
  settings: Settings;
  /** Stops the server of the old installation. */
  stop: () => Promise<void>;
}

/** An installation on SQLite, and an empty PostgreSQL that it can move to. */
export async function installation(runner = false): Promise<Moving> {
  const app = await testApp({ engine: 'sqlite', runner, shared: true });
  const { dataDir } = app.ctx.config;
  const { url, drop } = await freshPostgres();
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await app.app.close();
    await app.ctx.hub.close();
    await app.ctx.db.destroy();
  };
  onTestFinished(async () => {
    await stop();
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const settings = { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_DATABASE_URL: url };
  return { app, url, settings, stop, file: join(dataDir, 'signalbox.db') };
}

/** Opens a database for the length of a test. */
export function open(url: string): Kysely<Tables> {
  const db = openDatabase(url);
  onTestFinished(() => db.destroy());
  return db;
}

export async function changeRow(file: string, statement: string): Promise<void> {
  const db = openDatabase(`sqlite:${file}`);
  await sql.raw(statement).execute(db);
  await db.destroy();
}
