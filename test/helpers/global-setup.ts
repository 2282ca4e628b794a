// Runs once, beside the workers. PostgreSQL is started when the first test asks for it and
// not before, so that a run of pure tests does not wait for it. Workers ask over HTTP.

import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type Cluster, startCluster } from './postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers the address of the PostgreSQL of this run, which it starts when asked first. */
    postgresKeeper: string;
  }
}

let started: Promise<Cluster> | undefined;

const server = createServer((_request, response) => {
  started ??= startCluster();
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
