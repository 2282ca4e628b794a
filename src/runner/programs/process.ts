// The only file that starts programs, without a shell and in a session of their own. A failed start is a result, not
// an exception.

import {
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type SpawnOptions,
} from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunUser } from '../../node/process/run-users.ts';

export interface Command {
  command: string;
  args: string[];
  cwd: string;
  /** The whole environment; variables of the runner are not inherited. */
  env: Record<string, string>;
  /** Text for standard input, which is closed afterwards. */
  input?: string;
  /** A program that prints more bytes is killed, and has no exit code. */
  outputLimit?: number;
  /** Absent or null: the user of the runner. */
  user?: RunUser | null;
}

/** setpriv starts a program that cannot gain privileges, for example by sudo. Null: not installed. */
export const setprivPath =
  ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path)) ?? null;

const withUsualUmask = ['-c', 'umask 022; exec "$@"', 'sh'];

/**
 * Whether files of the runner are readable by its own user only (`UMask=0077` in the unit). Programs still need
 * the usual umask, because users of tasks read what they write, such as the objects of a repository.
 */
const isUmaskStrict = (): boolean => (process.umask() & 0o055) !== 0;

/** Starts a program as its user, without the supplementary groups of the runner's user. */
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
  // The shell finds the command on the PATH of `env`; setpriv would use its own.
  const start = ['--no-new-privs', '--', '/bin/sh', ...withUsualUmask];
  return spawn(setprivPath ?? 'setpriv', [...start, command, ...args], { ...all, ...own });
}

interface ToolEnd {
  /** Null: a signal ended the program, or it did not start. */
  exitCode: number | null;
  /** Why the program did not start; null: it did. */
  failure: string | null;
}

// How long to wait for output after the end of a program, if a background process holds the pipe.
const lingerMs = 2_000;

async function whenEnded(child: ChildProcess, output: Promise<unknown>): Promise<ToolEnd> {
  const ended = await new Promise<ToolEnd>((resolve) => {
    child.once('error', (error) => {
      resolve({ exitCode: null, failure: error.message });
    });
    child.once('exit', (exitCode) => resolve({ exitCode, failure: null }));
  });
  const linger = new AbortController();
  const late = delay(lingerMs, undefined, { signal: linger.signal }).then(
    () => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()),
    () => undefined,
  );
  await Promise.race([output, late]);
  linger.abort();
  await output;
  return ended;
}

/** The child leads a process group, which a negative pid signals. */
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
 * Runs a program that reads a stream, with its output to standard error. If the stream fails, kills the program,
 * so that it does not process a truncated input, and throws.
 */
export async function feedTool(
  command: Omit<Command, 'input' | 'outputLimit'>,
  input: Readable,
): Promise<ToolEnd & { hasReadAll: boolean }> {
  const child = spawnAs(command, { stdio: ['pipe', 2, 2] });
  const ended = whenEnded(child, Promise.resolve());
  const { stdin } = child as ChildProcess & { stdin: Writable };
  const gone = new Promise<boolean>((resolve) => {
    stdin.on('error', () => resolve(true));
    stdin.once('close', () => resolve(true));
  });
  const drained = () =>
    new Promise<boolean>((resolve) => stdin.once('drain', () => resolve(false)));
  let hasReadAll = true;
  try {
    for await (const piece of input) {
      if (!stdin.write(piece)) hasReadAll = !(await Promise.race([drained(), gone]));
      if (!hasReadAll) break;
    }
  } catch (error) {
    signalGroup(child, 'SIGKILL');
    await ended;
    throw error;
  }
  stdin.end();
  const end = await ended;
  return { ...end, hasReadAll: hasReadAll && stdin.writableFinished };
}

/** Runs a short program and returns its output. Kills it when the signal fires. `onError`: pieces of standard error. */
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
  let isTooMuch = false;
  const stopPrinting = (): void => {
    isTooMuch = true;
    stop();
  };
  const texts = Promise.all(
    [child.stdout, child.stderr].map((stream) => readText(stream, limit, stopPrinting)),
  );
  const { exitCode, failure } = await whenEnded(child, texts);
  signal?.removeEventListener('abort', stop);
  const [stdout = '', stderr = ''] = await texts;
  // The program may have ended before it was killed, but its output is truncated.
  return { exitCode: isTooMuch ? null : exitCode, failure, stdout, stderr };
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

/** Starts a program in a session of its own, which outlives the runner. */
export function startDetached(command: Command): { pid: number | null; stop: () => void } {
  const child = spawnAs(command, { stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
  return { pid: child.pid ?? null, stop: () => signalGroup(child, 'SIGTERM') };
}

interface Listener {
  /** Writes the text and closes the input. */
  send: (text: string) => void;
  /** Closes the input. */
  close: () => void;
}

/** Starts a detached program whose standard input is written later. If the runner ends before, it is empty. */
export function startListening(command: Command): Listener {
  const child = spawnAs(command, { stdio: ['pipe', 'ignore', 'ignore'] });
  const { stdin } = child as ChildProcess & { stdin: Socket };
  child.on('error', () => undefined);
  // Errors mean that the program has ended, which its follower detects.
  stdin.on('error', () => undefined);
  child.unref();
  stdin.unref();
  return {
    send: (text) => void stdin.end(text),
    close: () => void stdin.end(),
  };
}
