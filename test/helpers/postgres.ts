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
const left: ReusedDatabase[] = [];
let form: Form | undefined;

interface ReusedDatabase {
  url: string;
  /** Makes the database empty; kept, because a new connection first has to read the catalog. */
  client: Client;
}

async function withTables(server: string): Promise<FreshPostgres> {
  const kept = left.pop() ?? (await keep(await createDatabase(server, newName(), migrated)));
  const { url, client } = kept;
  form ??= await formOf(client);
  const made = form;
  return {
    url,
    async drop() {
      if (await isEmptied(client, made)) left.push(kept);
      else await dropDatabase(url);
    },
  };
}

async function keep(url: string): Promise<ReusedDatabase> {
  const client = new Client({ connectionString: url });
  // A test may end the connection, with PostgreSQL or by dropping the database.
  client.on('error', () => undefined);
  await client.connect();
  return { url, client };
}

/** False if the database, or the connection to it, cannot be used again. */
async function isEmptied(client: Client, made: Form): Promise<boolean> {
  try {
    if (await makeEmpty(client, made)) return true;
  } catch {
    // The connection is broken, or what the test made is in the way.
  }
  await client.end().catch(() => undefined);
  return false;
}

const newName = (): string => `test_${randomBytes(8).toString('hex')}`;

async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await execute(await clusterUrl(), `drop database if exists ${name} with (force)`);
}

/** Returns the address of the new database. */
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
