// Runs once, beside the workers. PostgreSQL is started when the first test asks for it, so that a
// run of pure tests does not wait for it. Workers ask over HTTP.

import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/server/db/migrations/migrate.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';
import { createDatabase, migrated } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which workers ask for the PostgreSQL of this run. */
    postgresKeeper: string;
  }
}

let started: Promise<Cluster> | undefined;

/**
 * Starts PostgreSQL with a database that has the tables already, of which the databases of tests
 * are copies.
 */
async function start(): Promise<Cluster> {
  // What the planner learns at a moment of its own would make a used database differ from a new one.
  const cluster = await startCluster({ autovacuum: 'off' });
  const db = openDatabase(await createDatabase(cluster.url, migrated));
  await migrate(db);
  await db.destroy();
  return cluster;
}

const server = createServer((_request, response) => {
  started ??= start();
  started.then(
    (cluster) => response.end(cluster.url),
    (error: unknown) => {
      response.statusCode = 500;
      response.end(error instanceof Error ? error.message : String(error));
    },
  );
});

export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port for the tests');
  project.provide('postgresKeeper', `http://127.0.0.1:${address.port}/`);
}

export async function teardown(): Promise<void> {
  server.closeAllConnections();
  server.close();
  const cluster = await started?.catch(() => undefined);
  await cluster?.stop();
}
