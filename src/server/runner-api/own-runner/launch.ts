import { spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Handoff } from '../../../runner/main.ts';

export interface RunnerProcess {
  /** Settles when the runner has ended, with the exit code, signal or error as text. */
  ended: Promise<string>;
  /** Ends the runner, and waits until it has ended. Programs of tasks go on. */
  end: () => Promise<void>;
}

export type Launch = (handoff: Handoff) => RunnerProcess;

const program = fileURLToPath(new URL('../../../runner/main.ts', import.meta.url));

// A runner that does not end by itself is killed after this time.
const MAX_END_MS = 10_000;

/** Added to the nice value, so that runner and programs of tasks do not starve the server. */
const NICE_INCREMENT = 5;

/**
 * Starts the runner with the server's Node options, which limit its memory. It logs to the server's
 * standard error. Its environment is only PATH and a setting of the C library, as bin/signalbox sets it.
 */
export const launchRunner: Launch = (handoff) => {
  const child = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ['pipe', 'ignore', 'inherit'],
    cwd: '/',
    env: { PATH: handoff.config.path, MALLOC_ARENA_MAX: '1' },
  });
  if (child.pid !== undefined) setPriority(child.pid, Math.min(getPriority() + NICE_INCREMENT, 19));
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
