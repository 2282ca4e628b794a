// Runs one private PostgreSQL for a test run, in a folder and on a port of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

export interface Cluster {
  /** The address of the database that always exists; its user is a superuser without password. */
  url: string;
  /** Kills PostgreSQL and its processes, as a crash does; its data stays. */
  kill: () => void;
  /** Starts PostgreSQL again; settles when it answers. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

const startLimitMs = 120_000;

// These settings give up safety for speed, because no data outlives the run.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

// This script ends PostgreSQL and removes its folder when standard input closes, which happens
// however the test run ends, even by SIGKILL. A line "kill" or "start" does what it says. The
// processes of a killed PostgreSQL end a moment later, and a new one cannot start before.
const keeper = `programs=$1; folder=$2; shift 2
trap 'rm -rf "$folder"' EXIT
"$programs/initdb" -D "$folder/data" -U signalbox -A trust --no-sync -E UTF8 --locale=C --lc-ctype=C.UTF-8 >&2 || exit
start() { "$programs/postgres" -D "$folder/data" "$@" & }
start "$@"
while read -r order; do
  case $order in
    kill) kill -KILL $!; wait $! ;;
    start) sleep 1; start "$@" ;;
  esac
done
kill -INT $!
wait $!`;

/**
 * Starts PostgreSQL, with further settings if some are given. Fails with a sentence if it is not
 * installed.
 */
export async function startCluster(further: Record<string, string> = {}): Promise<Cluster> {
  const programs = findPrograms();
  const owner = notRoot();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);

  const port = await freePort();
  const options = ['-p', String(port)];
  const all = { ...settings, ...further };
  for (const [name, value] of Object.entries(all)) options.push('-c', `${name}=${value}`);
  const child = spawn('/bin/sh', ['-c', keeper, 'sh', programs, folder, ...options], {
    cwd: folder,
    ...owner,
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C would otherwise end PostgreSQL before the tests that use it.
    detached: true,
  });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-4000)));

  const stop = () => stopKeeper(child);
  const url = `postgres://signalbox@127.0.0.1:${port}/postgres`;
  try {
    await untilItAnswers(url, child);
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start. It printed:\n${printed}`, { cause: error });
  }
  return {
    url,
    kill: () => child.stdin?.write('kill\n'),
    async restart() {
      child.stdin?.write('start\n');
      await untilItAnswers(url, child);
    },
    stop,
  };
}

function stopKeeper(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.stdin?.end();
  });
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(30);
    }
  }
}

/** The folder of `initdb` and `postgres`: that on PATH, or the newest one that Debian installed. */
function findPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const installed = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, 'bin'))
    : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...installed];
  const found = folders.find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
  if (found === undefined) {
    throw new Error(
      'The PostgreSQL server is not installed, and these tests need it. ' +
        'Run "npm test", which installs it on Debian and Ubuntu, or install the package "postgresql".',
    );
  }
  return found;
}

/** PostgreSQL refuses to run as root, so it then runs as another user of the machine. */
export function notRoot(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".');
}
