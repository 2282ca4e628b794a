// Records what an installation of a version looks like: the version is started, filled, stopped, and
// its data folder and database are packed.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/server/db/open.ts';
import { connectApi } from '../api-client.ts';
import type { Engine } from '../engine.ts';
import { startServer } from '../server.ts';
import { countNouns, readTasks } from './counts.ts';
import { fill } from './fill.ts';
import { files, type Recorded } from './fixture.ts';

interface Order {
  /** The folder of the version, with its packages. */
  checkout: string;
  /** The new folder of the recording on this engine. */
  to: string;
  /** The address of an empty PostgreSQL database; null: SQLite. */
  databaseUrl: string | null;
}

export async function record({ checkout, to, databaseUrl }: Order): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-recorded-'));
  const env: Record<string, string> = databaseUrl ? { SIGNALBOX_DATABASE_URL: databaseUrl } : {};
  const database = databaseUrl ?? `sqlite:${join(dataDir, 'signalbox.db')}`;
  const server = await startServer({ env, dataDir, checkout });
  try {
    const call = await connectApi(server);
    const filled = await fill(call, dataDir);
    const counts = await countNouns(call, [filled.project, filled.demo]);
    const tasks = await readTasks(call, server, filled);
    await server.end('SIGTERM');
    const engine: Engine = databaseUrl ? 'postgres' : 'sqlite';
    const described = { ...versionOf(checkout), engine, form: await formOf(database), dataDir };
    await mkdir(to, { recursive: true });
    const manifest: Recorded = {
      ...described,
      password: server.password,
      ...filled,
      counts,
      tasks,
    };
    await writeFile(join(to, files.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
    await pack(dataDir, join(to, files.data));
    if (databaseUrl) dump(databaseUrl, join(to, files.dump));
  } finally {
    await server.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}

const versionOf = (checkout: string): { version: string; commit: string } => ({
  version: execFileSync(process.execPath, ['src/server/main.ts', 'version'], { cwd: checkout })
    .toString()
    .trim(),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout }).toString().trim(),
});

/** The newest migration of a database. */
async function formOf(database: string): Promise<string> {
  const db = openDatabase(database);
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return (
      rows
        .map(({ name }) => name)
        .toSorted()
        .at(-1) ?? ''
    );
  } finally {
    await db.destroy();
  }
}

/** What every start makes again. */
const leftOut = [
  'mirrors',
  'spares',
  'galaxy',
  'venvs',
  'environments',
  'homes',
  'facts',
  'runs',
  'server.lock',
];

async function pack(dataDir: string, file: string): Promise<void> {
  const names = (await readdir(dataDir)).filter(
    (name) => !leftOut.includes(name) && !/\.(?:sock|pid|lock)$|-shm$/.test(name),
  );
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--exclude=*.sample'];
  const program = ['--use-compress-program=gzip -9n', '--sort=name'];
  execFileSync('tar', [...owner, ...program, '-cf', file, '-C', dataDir, ...names]);
}

function dump(url: string, file: string): void {
  const how = ['--format=custom', '--compress=9', '--no-owner', '--no-privileges'];
  execFileSync('pg_dump', [...how, `--file=${file}`, url], { stdio: 'pipe' });
}
