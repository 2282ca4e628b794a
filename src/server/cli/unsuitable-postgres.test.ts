// Only on PostgreSQL: it is about databases on which a server cannot work.

import { Client } from 'pg';
import { expect, test } from 'vitest';
import { runInside } from '../../../test/helpers/command.ts';
import { startPgBouncer } from '../../../test/helpers/pgbouncer.ts';
import { freshPostgres } from '../../../test/helpers/postgres.ts';
import { folder } from '../../../test/helpers/seed.ts';

async function migrate(databaseUrl: string, dataDir?: string) {
  const SIGNALBOX_DATA_DIR = dataDir ?? (await folder());
  return runInside(['migrate'], { SIGNALBOX_DATA_DIR, SIGNALBOX_DATABASE_URL: databaseUrl });
}

async function execute(databaseUrl: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test.each(['transaction', 'statement'] as const)(
  'PgBouncer that pools each %s is refused with one line',
  async (mode) => {
    const { url } = await freshPostgres();
    const { code, out, error } = await migrate(await startPgBouncer(url, mode));
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(
      /^SIGNALBOX_DATABASE_URL leads to a pooler, .* pool_mode = session .*\n$/,
    );
  },
);

test('PgBouncer that pools sessions works', async () => {
  const { url } = await freshPostgres();
  const { code, error } = await migrate(await startPgBouncer(url, 'session'));
  expect([code, error]).toEqual([0, '']);
});

test('a database with another encoding than UTF8 is refused with one line', async () => {
  const { url } = await freshPostgres();
  const latin = new URL(url);
  latin.pathname += '_latin1';
  const name = latin.pathname.slice(1);
  await execute(url, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  const { code, error } = await migrate(latin.href);
  await execute(url, `drop database ${name}`);
  expect(code).toBe(1);
  expect(error).toMatch(/^The database .* has the encoding LATIN1, .*createdb.*\n$/);
});

test('tables of another product in another schema are not mistaken for own ones', async () => {
  const { url } = await freshPostgres();
  await execute(
    url,
    'create schema other',
    'create table other.kysely_migration (name varchar(255) primary key, timestamp varchar(255))',
    "insert into other.kysely_migration values ('9999-theirs', '2026')",
    'create table other.kysely_migration_lock (id varchar(255) primary key, is_locked integer)',
    'create table other.settings (name text, value text)',
  );
  const dataDir = await folder();
  for (let time = 0; time < 2; time += 1) {
    const { code, error } = await migrate(url, dataDir);
    expect([code, error]).toEqual([0, '']);
  }
});
