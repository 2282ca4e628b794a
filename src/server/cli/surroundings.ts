// What a command finds around it: the process, unless a test gives it something else.

import type { Readable } from 'node:stream';
import type { Log } from '../../runner/system/log.ts';
import type { Config } from '../config/config.ts';

/** Something is wrong with the command line itself; the message says what. */
export class UsageError extends Error {}

export interface Surroundings {
  /** Where settings are looked for; missing: the environment of the process. */
  environment?: NodeJS.ProcessEnv;
  input: Readable;
  output: Sink;
  errors: Sink;
  /** Until the command is told to end. */
  untilSignal: () => Promise<void>;
}

interface Sink {
  write: (text: string) => unknown;
}

/** What a server has when it begins to work. */
export interface Beginning {
  at: Surroundings;
  config: Config;
  log: Log;
  /** Settles when the process is told to end. */
  signalled: Promise<void>;
}

export const ownProcess: Surroundings = {
  // Opened when somebody reads it: a server leaves it alone.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  untilSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        process.once(signal, () => resolve());
      }
    }),
};

export function print({ output }: Pick<Surroundings, 'output'>, text: string): void {
  output.write(`${text}\n`);
}

export function printError({ errors }: Pick<Surroundings, 'errors'>, text: string): void {
  errors.write(`${text}\n`);
}
