import { Client } from 'pg';
import { expect, test } from 'vitest';
import { freshPostgres } from './helpers/postgres.ts';

async function tablesOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ count: number }>(
      "select count(*)::int as count from pg_tables where schemaname = 'public'",
    );
    return found.rows[0]?.count ?? -1;
  } finally {
    await client.end();
  }
}

test('gives every test an empty database of its own and removes it', async () => {
  const [one, other] = await Promise.all([freshPostgres(), freshPostgres()]);
  expect(one.url).not.toBe(other.url);
  const client = new Client({ connectionString: one.url });
  await client.connect();
  await client.query('create table crate (id int)');
  await client.end();
  expect(await tablesOf(one.url)).toBe(1);
  expect(await tablesOf(other.url)).toBe(0);
  await Promise.all([one.drop(), other.drop()]);
  await expect(tablesOf(one.url)).rejects.toThrow('does not exist');
});
