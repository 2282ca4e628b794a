// `npm run bench:start`: measures how long the server takes to be ready, and how much memory it
// uses when idle, from its sources and from the build. All starts share a data folder, so only the
// first one, which is not counted, makes a database. `-- 9` makes nine starts.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setUp } from './setup/set-up.js';

const root = join(import.meta.dirname, '..');
const starts = Number(process.argv[2] ?? 5);
const idleMs = 10_000;
const longestStartMs = 60_000;

const ways: Record<string, string[]> = {
  sources: [process.execPath, 'src/server/main.ts'],
  build: [join(root, 'bin/signalbox')],
};

interface Started {
  child: ChildProcess;
  ms: number;
}

function start(command: string[], dataDir: string): Promise<Started> {
  const [program = '', ...args] = command;
  const begun = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      SIGNALBOX_DATA_DIR: dataDir,
      SIGNALBOX_PORT: '0',
      SIGNALBOX_ADMIN_PASSWORD: 'a password for a measurement',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => fail('was not ready in time'), longestStartMs);
    const fail = (what: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`The server ${what}: ${command.join(' ')}`));
    };
    child.once('exit', (code) => fail(`ended with code ${code}`));
    child.stdout.on('data', (chunk: Buffer) => {
      if (!chunk.includes('is ready')) return;
      clearTimeout(limit);
      resolve({ child, ms: performance.now() - begun });
    });
  });
}

async function end({ child }: Started): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** The MB that a process and its children use, the process first. */
async function residentOf(pid: number): Promise<{ name: string; mb: number }[]> {
  const processes = await Promise.all((await readdir('/proc')).filter(isNumber).map(look));
  const children = processes.filter((one) => one?.parent === pid);
  const own = processes.filter((one) => one?.pid === pid);
  return [...own, ...children].flatMap((one) => (one ? [{ name: one.name, mb: one.mb }] : []));
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

async function look(pid: string) {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    const field = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    const name = args.find((arg) => /\.[jt]s$/.test(arg)) ?? args[0] ?? '';
    const mb = (field('VmRSS') * 1024) / 1e6;
    return { pid: Number(pid), parent: field('PPid'), name: name.replace(`${root}/`, ''), mb };
  } catch {
    // The process has ended meanwhile.
    return null;
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function measure(way: string, command: string[]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-start-'));
  try {
    await end(await start(command, dataDir));
    const times: number[] = [];
    for (let count = 0; count < starts; count += 1) {
      const started = await start(command, dataDir);
      times.push(started.ms);
      if (count === starts - 1) {
        await sleep(idleMs);
        for (const { name, mb } of await residentOf(started.child.pid ?? 0)) {
          console.log(`${way}: ${mb.toFixed(0)} MB resident after ${idleMs / 1000} s: ${name}`);
        }
      }
      await end(started);
    }
    const range = `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`;
    console.log(
      `${way}: ready after ${median(times).toFixed(0)} ms (median of ${starts}, ${range})`,
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureVersion(way: string, command: string[]): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const begun = performance.now();
    const [program = '', ...args] = command;
    const child = spawn(program, [...args, 'version'], { cwd: root, stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    times.push(performance.now() - begun);
  }
  console.log(`${way}: signalbox version in ${median(times).toFixed(0)} ms (median of ${starts})`);
}

process.exitCode = await setUp('build');
if (process.exitCode === 0) {
  for (const [way, command] of Object.entries(ways)) {
    await measure(way, command);
    await measureVersion(way, command);
  }
}
