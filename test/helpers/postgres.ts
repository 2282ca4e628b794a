// A PostgreSQL database of its own for each test that asks.

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface FreshPostgres {
  url: string;
  /** Removes the database, also when connections are still open. */
  drop: () => Promise<void>;
}

/** Makes an empty database in the PostgreSQL of this test run. */
export async function freshPostgres(): Promise<FreshPostgres> {
  const server = await clusterUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
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
