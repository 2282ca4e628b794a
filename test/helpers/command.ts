// The command line as administrators use it: a process of its own for each command.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  error: string;
}

export type Settings = Record<string, string>;

export function startCommand(args: string[], settings: Settings): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs a command to its end. */
export async function runCommand(
  args: string[],
  settings: Settings = {},
  input = '',
): Promise<Ended> {
  const child = startCommand(args, settings);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, error };
}
