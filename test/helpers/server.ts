// Runs the server as people do: a process of its own on an empty data folder.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/server/config/config.ts';
import { endRun } from '../../src/runner/supervisor/supervisor.ts';
import { findStrayWorkspaces } from '../../src/runner/workspace/workspace.ts';
import { newCanary } from './canaries.ts';
import { ownEngine } from './engine.ts';
import { serverMain } from './program.ts';
import { freshPostgres, type FreshPostgres } from './postgres.ts';

export interface TestServer {
  address: string;
  password: string;
  dataDir: string;
  child: ChildProcess;
  /** What the server has printed so far. */
  printed: () => string;
  /** The part that the server has printed to standard error. */
  printedErrors: () => string;
  /** Ends the server with a signal and waits for its end; its data stays. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Ends the server and removes its data. */
  stop: () => Promise<void>;
}

export const serverPassword = 'a password for tests';
const signalboxCommand = join(import.meta.dirname, '../../bin/signalbox');
// In seconds: a start takes one and a half on a quiet machine, and many times that beside other
// tests.
const startLimit = 120;

/** On PostgreSQL, the database of each data folder. */
const databases = new Map<string, Promise<FreshPostgres>>();

/** The settings of a server or a command with this data folder. */
export async function settingsOf(dataDir: string): Promise<Record<string, string>> {
  const settings = { SIGNALBOX_DATA_DIR: dataDir };
  if (ownEngine === 'sqlite') return settings;
  const database = databases.get(dataDir) ?? databaseWithPassword();
  databases.set(dataDir, database);
  return { ...settings, SIGNALBOX_DATABASE_URL: (await database).url };
}

/** The PostgreSQL of the tests needs no password; this one only has to be kept secret. */
async function databaseWithPassword(): Promise<FreshPostgres> {
  const made = await freshPostgres('tables');
  const url = new URL(made.url);
  url.password = newCanary();
  return { ...made, url: url.href };
}

export async function startServer(
  options: {
    env?: Record<string, string>;
    dataDir?: string;
    startSeconds?: number;
    /** A umask that a service may set. */
    umask?: string;
    /** The folder of another version. */
    checkout?: string;
    /** Whether `bin/signalbox` starts it, as for people, instead of Node itself. */
    byCommand?: boolean;
  } = {},
): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'signalbox-server-')));
  const isTold = options.env?.['SIGNALBOX_DATABASE_URL'] !== undefined;
  const settings = isTold ? { SIGNALBOX_DATA_DIR: dataDir } : await settingsOf(dataDir);
  const script = `umask ${options.umask ?? '022'} && exec "$0" "$1"`;
  const main = options.checkout ? 'src/server/main.ts' : serverMain;
  const command = options.byCommand ? [signalboxCommand, 'server'] : [process.execPath, main];
  const child = spawn('/bin/sh', ['-c', script, ...command], {
    cwd: options.checkout,
    env: {
      ...process.env,
      ...settings,
      SIGNALBOX_PORT: '0',
      SIGNALBOX_CONTAINER_ENGINE: 'none',
      SIGNALBOX_ADMIN_PASSWORD: serverPassword,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const limitMs = (options.startSeconds ?? startLimit) * 1000;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let printed = '';
  let printedErrors = '';
  const address = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`${reason}. The server printed:\n${printed}`));
    };
    const limit = setTimeout(() => fail('No address in time'), limitMs);
    const look = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /is ready: (http:\S+)/.exec(printed)?.[1];
      if (!found) return;
      clearTimeout(limit);
      resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.stderr.on('data', (chunk: Buffer) => (printedErrors += chunk.toString()));
    void ended.then((code) => fail(`The server ended with code ${code}`));
  });
  const end: TestServer['end'] = (signal) => {
    child.kill(signal);
    return ended;
  };
  return {
    address,
    password: serverPassword,
    dataDir,
    child,
    printed: () => printed,
    printedErrors: () => printedErrors,
    end,
    async stop() {
      await end('SIGTERM');
      // Programs that a later server would take over are ended, because their data is removed.
      for (const run of await findStrayWorkspaces({ ...loadConfig({}), dataDir }, [])) {
        await endRun(run.dir, run.mark);
        await run.remove();
      }
      await (await databases.get(dataDir))?.drop();
      databases.delete(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
