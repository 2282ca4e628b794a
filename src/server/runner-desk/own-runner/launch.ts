// Starts the process of the runner beside this server: the only program that a server starts.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Handoff } from '../../../runner/main.ts';

export interface RunnerProcess {
  /** Settles when it has ended, with how. */
  ended: Promise<string>;
  /** Tells it to end, and waits until it has. What runs goes on. */
  end: () => Promise<void>;
}

export type Launch = (handoff: Handoff) => RunnerProcess;

const program = fileURLToPath(new URL('../../../runner/main.ts', import.meta.url));

// Milliseconds in which a runner that is told to end does so.
const patience = 10_000;

/** Its log goes where that of the server goes; its environment holds nothing of the server's own. */
export const launchRunner: Launch = (handoff) => {
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'ignore', 'inherit'],
    cwd: '/',
    env: { PATH: handoff.config.path },
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `the signal ${signal}` : `the exit code ${code}`),
    );
  });
  // A runner that has just ended.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(handoff)}\n`);
  return {
    ended,
    async end() {
      child.stdin.end();
      const late = setTimeout(() => child.kill('SIGKILL'), patience);
      await ended;
      clearTimeout(late);
    },
  };
};
