// The only place that starts programs: no shell, a session of their own, and a result that is data.

import {
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type SpawnOptions,
} from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunUser } from '../system/run-as.ts';

export interface Command {
  command: string;
  args: string[];
  cwd: string;
  /** The whole environment: nothing of the server's own is handed on. */
  env: Record<string, string>;
  /** Text for its standard input, which is closed afterwards. */
  input?: string;
  /** Bytes that it may print; one that prints more is ended. */
  outputLimit?: number;
  /** Who runs it; absent or null: the user of the server. */
  user?: RunUser | null;
}

/** Takes from a program the way to rights that its user does not have, such as sudo. */
export const setprivPath =
  ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path)) ?? null;

const withUsualUmask = ['-c', 'umask 022; exec "$@"', 'sh'];

/**
 * The server may keep what it writes to itself (`UMask=0077` in the unit); what its programs lay
 * out, such as the objects of a repository, is for the users of tasks, who may not reach the rest.
 */
const isUmaskStrict = (): boolean => (process.umask() & 0o055) !== 0;

/** How a program is started as its user: groups of the server's own are left behind as well. */
function spawnAs(
  { command, args, cwd, env, user }: Command,
  options: SpawnOptions,
): ReturnType<typeof spawn> {
  const all = { ...options, cwd, env, detached: true };
  if (!user) {
    if (!isUmaskStrict()) return spawn(command, args, all);
    return spawn('/bin/sh', [...withUsualUmask, command, ...args], all);
  }
  const own = { uid: user.uid, gid: user.gid };
  // The command is looked for by the shell, on the PATH that it is given.
  const start = ['--no-new-privs', '--', '/bin/sh', ...withUsualUmask];
  return spawn(setprivPath ?? 'setpriv', [...start, command, ...args], { ...all, ...own });
}

interface ToolEnd {
  /** Null: a signal ended it, or it could not be started. */
  exitCode: number | null;
  /** Why it could not be started; null: it was. */
  failure: string | null;
}

// Milliseconds that output is awaited after the end, when a child in the background keeps the pipe.
const lingerTime = 2_000;

async function whenEnded(child: ChildProcess, output: Promise<unknown>): Promise<ToolEnd> {
  const ended = await new Promise<ToolEnd>((resolve) => {
    child.once('error', (error) => {
      resolve({ exitCode: null, failure: error.message });
    });
    child.once('exit', (exitCode) => resolve({ exitCode, failure: null }));
  });
  const linger = new AbortController();
  const late = delay(lingerTime, undefined, { signal: linger.signal }).then(
    () => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()),
    () => undefined,
  );
  await Promise.race([output, late]);
  linger.abort();
  await output;
  return ended;
}

/** The child leads a group of its own, so a negative pid reaches all of it. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface ToolResult extends ToolEnd {
  stdout: string;
  stderr: string;
}

/**
 * Runs a short program and keeps what it says. Stops it when the signal fires. `onError` hears
 * what comes from its standard error while it runs.
 */
export async function runTool(
  command: Command,
  signal?: AbortSignal,
  onError?: (text: string) => void,
): Promise<ToolResult> {
  signal?.throwIfAborted();
  const child = spawnAs(command, {
    stdio: ['pipe', 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams;
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.input ?? '');
  const stop = (): void => signalGroup(child, 'SIGKILL');
  signal?.addEventListener('abort', stop);
  child.stderr.on('data', (piece: Buffer) => onError?.(piece.toString('utf8')));
  const limit = command.outputLimit ?? Infinity;
  const texts = Promise.all(
    [child.stdout, child.stderr].map((stream) => readText(stream, limit, stop)),
  );
  const result = await whenEnded(child, texts);
  signal?.removeEventListener('abort', stop);
  const [stdout = '', stderr = ''] = await texts;
  return { ...result, stdout, stderr };
}

async function readText(stream: Readable, limit: number, stop: () => void): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else stop();
  });
  await new Promise((resolve) => stream.once('close', resolve));
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts a program in a session of its own that goes on when we end. */
export function startDetached(command: Command): { pid: number | null; stop: () => void } {
  const child = spawnAs(command, { stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
  return { pid: child.pid ?? null, stop: () => signalGroup(child, 'SIGTERM') };
}
