// Starts the process of the runner beside this server, which is the only program that a server starts.

import { spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Handoff } from '../../../runner/main.ts';

export interface RunnerProcess {
  /** Settles when the runner has ended; the value says how. */
  ended: Promise<string>;
  /** Tells the runner to end, and waits until it has ended. Programs of tasks go on. */
  end: () => Promise<void>;
}

export type Launch = (handoff: Handoff) => RunnerProcess;

const program = fileURLToPath(new URL('../../../runner/main.ts', import.meta.url));

// A runner that was told to end is killed after this time.
const MAX_END_MS = 10_000;

/** How much the runner and the programs of tasks give way to the server when the processor is busy. */
const yielding = 5;

/**
 * Starts the runner with the options of Node that the server has, so that it takes as little memory.
 * It logs to the server's standard error, and gets only PATH and a setting of the C library as its
 * environment, as bin/signalbox gives it to the server.
 */
export const launchRunner: Launch = (handoff) => {
  const child = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ['pipe', 'ignore', 'inherit'],
    cwd: '/',
    env: { PATH: handoff.config.path, MALLOC_ARENA_MAX: '1' },
  });
  if (child.pid !== undefined) setPriority(child.pid, Math.min(getPriority() + yielding, 19));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `the signal ${signal}` : `the exit code ${code}`),
    );
  });
  // The runner may have just ended.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(handoff)}\n`);
  return {
    ended,
    async end() {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), MAX_END_MS);
      await ended;
      clearTimeout(late);
    },
  };
};
