// Runs the child processes of the developer commands, and ends them by their own process ids.

import { type ChildProcess, spawn } from 'node:child_process';

const longestEndMs = 5000;

interface Ended {
  code: number | null;
  output: string;
}

/** Runs a program to its end, and keeps what it prints on both streams in one text. */
export function runToEnd(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

interface ShownOptions {
  cwd: string;
  env: Record<string, string>;
}

/** Runs a program to its end, which prints to the terminal; returns its exit code. */
export function runShown(
  command: string,
  args: string[],
  { cwd, env }: ShownOptions,
): Promise<number | null> {
  const child = spawn(command, args, { stdio: 'inherit', cwd, env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/** Asks a process to end, and kills it after five seconds. */
export function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill('SIGKILL'), longestEndMs);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
