// A server and the runner of a cluster as processes of their own, which tests kill and start again.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../helpers/free-port.ts';
import { serverMain } from '../../helpers/program.ts';
import { startServer, type TestServer } from '../../helpers/server.ts';

interface Restarted {
  /** Ends the process with SIGKILL. */
  kill: () => Promise<void>;
  /** Starts it again after that. */
  start: () => Promise<void>;
}

export interface ServerProcess extends Restarted {
  address: string;
  port: number;
  server: () => TestServer;
  stop: () => Promise<void>;
}

/** A server that stays at its address when it is started again, and runs no tasks itself. */
export async function serverProcess(): Promise<ServerProcess> {
  const port = await freePort();
  const env = {
    SIGNALBOX_PORT: String(port),
    SIGNALBOX_ROLE: 'web',
    SIGNALBOX_HTTP_REPOSITORIES: 'on',
  };
  let server = await startServer({ env });
  const { dataDir } = server;
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    server: () => server,
    kill: async () => void (await server.end('SIGKILL')),
    start: async () => void (server = await startServer({ env, dataDir })),
    stop: () => server.stop(),
  };
}

export interface RunnerProcess extends Restarted {
  dataDir: string;
  printed: () => string;
  stop: () => Promise<void>;
}

/** A remote runner with these settings. */
export async function runnerProcess(settings: Record<string, string>): Promise<RunnerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-runner-'));
  let printed = '';
  let child: ChildProcess | null = null;
  let ended: Promise<void> = Promise.resolve();
  const start = async (): Promise<void> => {
    const env = { ...process.env, ...settings, SIGNALBOX_DATA_DIR: dataDir };
    const started = spawn(process.execPath, [serverMain], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    ended = new Promise((resolve) => started.once('exit', () => resolve()));
    const ready = Promise.withResolvers<void>();
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes('works for')) ready.resolve();
      });
    }
    const failed = ended.then(() => {
      throw new Error(`The runner ended. It printed:\n${printed}`);
    });
    failed.catch(() => undefined);
    await Promise.race([ready.promise, failed]);
  };
  await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child?.kill(signal);
    await ended;
  };
  return {
    dataDir,
    printed: () => printed,
    start: async () => {
      printed = '';
      await start();
    },
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
