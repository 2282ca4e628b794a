// Runs the command line as administrators do, as a process for each command; or in the process of
// the tests, if the test is not about processes.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { runCli } from '../../src/server/cli/cli.ts';
import { serverMain } from './program.ts';

export interface Ended {
  code: number | null;
  out: string;
  error: string;
}

export type Settings = Record<string, string>;

const kept = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'];

const environmentOf = (settings: Settings): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
  ...settings,
});

export function startCommand(args: string[], settings: Settings): ChildProcessWithoutNullStreams {
  const env = environmentOf(settings);
  const child = spawn(process.execPath, [serverMain, ...args], { env, stdio: 'pipe' });
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

/**
 * Runs a command to its end in this process, which takes a twentieth of the time; a server ends at
 * once.
 */
export async function runInside(
  args: string[],
  settings: Settings = {},
  input = '',
): Promise<Ended> {
  const printed = { out: '', error: '' };
  const code = await runCli(args, {
    environment: environmentOf(settings),
    input: Readable.from([input]),
    output: { write: (chunk) => (printed.out += chunk) },
    errors: { write: (chunk) => (printed.error += chunk) },
    bytes: () => new PassThrough().resume(),
    untilSignal: () => Promise.resolve(),
  });
  return { code, ...printed };
}
