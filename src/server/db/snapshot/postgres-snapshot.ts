// Dumps a PostgreSQL database with pg_dump. The rows are counted in the same snapshot as the dump.

import { ConfigError } from '../../../node/config-error.ts';
import type { PgSession } from '../pg-session.ts';
import { runPostgres, versionOf, type DatabaseAddress } from './postgres-programs.ts';
import type { Snapshot } from './snapshot.ts';

/** The beginning of the names of schemas with the tables that a restore has replaced. */
export const replacedPrefix = 'replaced_';

/** Creates and verifies the file `copy`. `compression`: the level of pg_dump; 0 for none. */
export async function dumpPostgres(
  place: DatabaseAddress,
  copy: string,
  compression = 0,
): Promise<Snapshot> {
  const program = await versionOf(place, 'pg_dump');
  await versionOf(place, 'pg_restore');
  return connected(place.url, async (session) => {
    const [server] = await session.query<{ major: number }>(
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    if (program < (server?.major ?? 0)) throw tooOld(program, server?.major ?? 0);
    // The snapshot lasts as long as this transaction, which only reads.
    await session.query('set idle_in_transaction_session_timeout = 0');
    await session.query('begin isolation level repeatable read read only');
    const [exported] = await session.query<{ id: string }>('select pg_export_snapshot() as id');
    const snapshot = await describe(session);
    await runPostgres(place, 'pg_dump', [
      '--format=custom',
      `--compress=${compression}`,
      '--no-owner',
      '--no-privileges',
      `--snapshot=${exported?.id ?? ''}`,
      `--exclude-schema=${replacedPrefix}*`,
      `--file=${copy}`,
    ]);
    await session.query('rollback');
    await checkDump(place, copy, Object.keys(snapshot.rows));
    return snapshot;
  });
}

/** The bytes of the whole database on the disk of its server. */
export async function databaseBytes(url: string): Promise<number> {
  const [found] = await connected(url, (session) =>
    session.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes'),
  );
  return found?.bytes ?? 0;
}

async function connected<T>(url: string, work: (session: PgSession) => Promise<T>): Promise<T> {
  const pg = await import('../pg-session.ts');
  const session = new pg.PgSession(url, 'signalbox backup');
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Throws a ConfigError unless pg_restore finds the data of these tables in the file. */
export async function checkDump(
  place: DatabaseAddress,
  copy: string,
  tables: string[],
): Promise<void> {
  const { stdout } = await runPostgres(place, 'pg_restore', ['--list', copy]);
  const found = new Set(
    [...stdout.matchAll(/^\d+; .* TABLE DATA \S+ (\S+) /gm)].map(([, name]) => name),
  );
  const lost = tables.filter((name) => !found.has(name));
  if (lost.length === 0) return;
  throw new ConfigError(`The dump of the database is damaged: it has no ${lost.join(', ')}.`);
}

async function describe(session: PgSession): Promise<Snapshot> {
  const tables = await session.listTables();
  if (!tables.includes('kysely_migration')) {
    throw new ConfigError('The database holds no installation of Signalbox.');
  }
  const rows = await session.countAllRows(tables);
  const migrations = await session.query<{ name: string }>(
    'select name from kysely_migration order by name collate "C"',
  );
  const addresses = await session.query<{ git_url: string }>(
    "select git_url from repositories where git_url like '/%' or git_url like 'file:%'",
  );
  return {
    engine: 'postgres',
    migrations: migrations.map(({ name }) => name),
    rows,
    repositories: addresses.map(({ git_url: url }) => url),
  };
}

const tooOld = (program: number, server: number): ConfigError =>
  new ConfigError(
    `pg_dump is of version ${program}, and the database server of version ${server}. Install the client programs of PostgreSQL ${server} or later (Debian: postgresql-client-${server}).`,
  );
