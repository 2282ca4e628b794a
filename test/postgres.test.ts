import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/server/db/open.ts';
import { toFlag } from '../src/server/db/row.ts';
import { freshPostgres } from './helpers/postgres.ts';

async function ask<T extends object>(url: string, question: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(question)).rows;
  } finally {
    await client.end();
  }
}

async function tablesOf(url: string): Promise<number> {
  const [found] = await ask<{ count: number }>(
    url,
    "select count(*)::int as count from pg_tables where schemaname = 'public'",
  );
  return found?.count ?? -1;
}

/** Returns the id of the new project. */
async function addProject(url: string): Promise<number> {
  const db = openDatabase(url);
  const made = { created: new Date().toISOString(), name: 'Yard' };
  const row = { ...made, alert: toFlag(false), alert_chat: null, max_parallel_tasks: 0, type: '' };
  const project = db.insertInto('projects').values(row).returning('id');
  const { id } = await project.executeTakeFirstOrThrow();
  await db.destroy();
  return id;
}

test('gives every test an empty database of its own and removes it', async () => {
  const [one, other] = await Promise.all([freshPostgres(), freshPostgres()]);
  expect(one.url).not.toBe(other.url);
  await ask(one.url, 'create table crate (id int)');
  expect(await tablesOf(one.url)).toBe(1);
  expect(await tablesOf(other.url)).toBe(0);
  await Promise.all([one.drop(), other.drop()]);
  await expect(tablesOf(one.url)).rejects.toThrow('does not exist');
});

test('gives a database with tables again, as if nobody had used it', async () => {
  const one = await freshPostgres('tables');
  expect(await addProject(one.url)).toBe(1);
  await ask(one.url, 'create schema pgboss; create table pgboss.job (id int)');
  await one.drop();
  const again = await freshPostgres('tables');
  expect(again.url).toBe(one.url);
  expect(await ask(again.url, 'select * from projects')).toEqual([]);
  expect(await ask(again.url, "select from pg_namespace where nspname = 'pgboss'")).toEqual([]);
  expect(await addProject(again.url)).toBe(1);
  await again.drop();
});

test.each([
  ['another table', 'create table crate (id int)'],
  ['another column', 'alter table projects add column crate int'],
  ['a trigger that does not fire', 'alter table projects disable trigger all'],
  [
    'a setting',
    'do $$ begin execute format($f$alter database %I set work_mem = 64$f$, current_database()); end $$',
  ],
  ['what the planner has learnt', "insert into settings values ('crate', '1'); analyze settings"],
])('never gives a database again with %s', async (_, change) => {
  const one = await freshPostgres('tables');
  await ask(one.url, change);
  await one.drop();
  await expect(ask(one.url, 'select 1')).rejects.toThrow('does not exist');
});
