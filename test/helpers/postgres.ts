// A PostgreSQL database of its own for each test that asks.

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface FreshPostgres {
  url: string;
  /** Removes the database, also when connections are still open. */
  drop: () => Promise<void>;
}

/** The database of this test run that has the tables in place. */
export const migrated = 'migrated';

/** Makes a database in the PostgreSQL of this test run: empty, or with the tables in place. */
export async function freshPostgres(content: 'empty' | 'tables' = 'empty'): Promise<FreshPostgres> {
  const server = await clusterUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  return {
    url: await createDatabase(server, name, content === 'tables' ? migrated : undefined),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** Answers the address of the new one. */
export async function createDatabase(
  server: string,
  name: string,
  template = 'template1',
): Promise<string> {
  await execute(server, `create database ${name} template ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function clusterUrl(): Promise<string> {
  const answer = await fetch(inject('postgresKeeper'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
