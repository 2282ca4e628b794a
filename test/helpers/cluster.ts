// Several servers, each a process with a data folder of its own, on one PostgreSQL database.

import { rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import type { Caller } from './app.ts';
import { cutLine, type Line } from './cut-line.ts';
import { freshPostgres, type FreshPostgres } from './postgres.ts';
import { remoteCaller } from './remote-caller.ts';
import { gitRepository, seedProject } from './seed.ts';
import { startServer, type TestServer } from './server.ts';

export interface Cluster {
  /** Starts a server, in the given data folder or a new one. */
  start: (role: 'all' | 'web' | 'runner', options?: NodeOptions) => Promise<TestServer>;
  /** Interrupts the connections of all servers to the database, or restores them. */
  cut: () => void;
  mend: () => void;
  /** The address of the database. */
  url: string;
  /**
   * A connection to the database for one server that can be interrupted, and the settings that make
   * the server use it.
   */
  line: () => Promise<Line & { env: Record<string, string> }>;
  /** The administrator as a caller of one server. */
  at: (server: TestServer) => Promise<Caller>;
}

interface NodeOptions {
  dataDir?: string;
  env?: Record<string, string>;
}

/**
 * Starts a cluster, which ends with the test. `given` is a database to use instead of a new one.
 */
export async function startCluster(given?: FreshPostgres): Promise<Cluster> {
  const { url, drop } = given ?? (await freshPostgres());
  const openLine: Cluster['line'] = async () => {
    const made = await cutLine(Number(new URL(url).port));
    const through = new URL(url);
    through.port = String(made.port);
    return { ...made, env: { SIGNALBOX_DATABASE_URL: through.href } };
  };
  const line = await openLine();
  const masterKey = randomBytes(32).toString('base64');
  const started: TestServer[] = [];
  onTestFinished(async () => {
    // A stopped process would not end.
    for (const { child } of started) child.kill('SIGCONT');
    await Promise.all(started.map((server) => server.stop()));
    await Promise.all(started.map(({ dataDir }) => rm(dataDir, { recursive: true, force: true })));
    await drop();
  });
  return {
    async start(role, { dataDir, env } = {}) {
      const server = await startServer({
        ...(dataDir !== undefined && { dataDir }),
        env: {
          ...line.env,
          SIGNALBOX_MASTER_KEY: masterKey,
          SIGNALBOX_ROLE: role,
          SIGNALBOX_LOCAL_REPOSITORIES: '/',
          ...env,
        },
      });
      started.push(server);
      return server;
    },
    cut: line.cut,
    mend: line.mend,
    url,
    line: openLine,
    at: ({ address, password }) => remoteCaller(address, 'admin', password),
  };
}

/** A project with a template that runs this script. */
export async function scriptProject(owner: Caller, script: string) {
  const seed = await seedProject(owner, null);
  const { id } = await owner.call(repositories.create, {
    params: { project_id: seed.projectId },
    body: {
      name: 'Scripts',
      git_url: await gitRepository({ 'run.sh': script }),
      git_branch: 'main',
      ssh_key_id: seed.keyId,
    },
  });
  const template = (values: Partial<Parameters<typeof seed.template>[0]> = {}) =>
    seed.template({ app: 'bash', playbook: 'run.sh', repository_id: id, ...values });
  return { ...seed, template };
}
