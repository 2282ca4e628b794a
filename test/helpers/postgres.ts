// Gives each test that asks a PostgreSQL database of its own.

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type Form, formOf, makeEmpty } from './emptied.ts';

export interface FreshPostgres {
  url: string;
  /** Removes the database, even if connections are still open. */
  drop: () => Promise<void>;
}

/** The name of the database that has the tables and is copied. */
export const migrated = 'migrated';

/** Makes a database in the PostgreSQL of this test run: empty, or with the tables. */
export async function freshPostgres(content: 'empty' | 'tables' = 'empty'): Promise<FreshPostgres> {
  const server = await clusterUrl();
  if (content === 'tables') return withTables(server);
  const url = await createDatabase(server, newName());
  return { url, drop: () => dropDatabase(url) };
}

/** Databases that tests no longer use and that look unused again. */
const left: string[] = [];
let form: Form | undefined;

async function withTables(server: string): Promise<FreshPostgres> {
  const url = left.pop() ?? (await createDatabase(server, newName(), migrated));
  form ??= await connected(url, formOf);
  const made = form;
  return {
    url,
    async drop() {
      if (await connected(url, (client) => makeEmpty(client, made))) left.push(url);
      else await dropDatabase(url);
    },
  };
}

const newName = (): string => `test_${randomBytes(8).toString('hex')}`;

async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await execute(await clusterUrl(), `drop database if exists ${name} with (force)`);
}

/** Answers the address of the new database. */
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
  await connected(url, (client) => client.query(statement));
}

async function connected<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
