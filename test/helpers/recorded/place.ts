// Puts a recorded installation in its place: a data folder, and a database with what was in it.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/server/db/open.ts';
import { ownEngine } from '../engine.ts';
import { freshPostgres } from '../postgres.ts';
import { sha256 } from './fill.ts';
import { files, readRecorded, recordings, type Recorded } from './fixture.ts';

export interface Placed {
  recorded: Recorded;
  dataDir: string;
  /** The address of its database. */
  database: string;
  /** The settings of a server for it. */
  env: Record<string, string>;
  remove: () => Promise<void>;
}

export async function place(name: string): Promise<Placed> {
  const recorded = readRecorded(name, ownEngine);
  const folder = join(recordings, name, ownEngine);
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-upgraded-'));
  execFileSync('tar', ['-xzf', join(folder, files.data), '-C', dataDir]);
  const postgres = ownEngine === 'postgres' ? await freshPostgres() : null;
  if (postgres) restoreDump(postgres.url, join(folder, files.dump));
  const database = postgres?.url ?? `sqlite:${join(dataDir, 'signalbox.db')}`;
  await moveRepositories(database, recorded.dataDir, dataDir);
  const remove = async (): Promise<void> => {
    await postgres?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const env: Record<string, string> = postgres ? { SIGNALBOX_DATABASE_URL: postgres.url } : {};
  return { recorded, dataDir, database, env, remove };
}

const restoreDump = (url: string, file: string): void => {
  const how = ['--exit-on-error', '--no-owner', `--dbname=${url}`];
  execFileSync('pg_restore', [...how, file], { stdio: 'pipe' });
};

/** The addresses of local repositories contain the path of the data folder, which is another one here. */
async function moveRepositories(database: string, from: string, to: string): Promise<void> {
  const db = openDatabase(database);
  try {
    await sql`update repositories set git_url = replace(git_url, ${from}, ${to})`.execute(db);
  } finally {
    await db.destroy();
  }
}

/** The columns and a sum of the rows of each table, which tell whether two databases are the same. */
export async function contentOf(database: string): Promise<Record<string, string>> {
  const db = openDatabase(database);
  const content: Record<string, string> = {};
  try {
    for (const { name, columns } of await db.introspection.getTables({
      withInternalKyselyTables: true,
    })) {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
      const lines = rows.map((row) => JSON.stringify(row)).toSorted();
      const shape = columns.map((column) => `${column.name} ${column.dataType}`).join(', ');
      content[name] = `${shape}: ${rows.length} rows, ${sha256(lines.join('\n'))}`;
    }
    return content;
  } finally {
    await db.destroy();
  }
}
