// The surroundings of a command: those of the process, unless a test gives others.

import type { Readable, Writable } from 'node:stream';
import type { Log } from '../../node/log/log.ts';
import type { Config } from '../config/config.ts';

/** An error in the command line itself; the message says which. */
export class UsageError extends Error {}

export interface Surroundings {
  /** Where settings are read from; by default the environment of the process. */
  environment?: NodeJS.ProcessEnv;
  input: Readable;
  output: Sink;
  errors: Sink;
  /** Standard output for what is no text. */
  bytes: () => Writable;
  /** Settles when the command is told to end. */
  untilSignal: () => Promise<void>;
}

interface Sink {
  write: (text: string) => unknown;
}

/** What a server receives when it starts. */
export interface Beginning {
  at: Surroundings;
  config: Config;
  log: Log;
  /** Settles when the process is told to end. */
  signalled: Promise<void>;
}

export const ownProcess: Surroundings = {
  // Opened only when somebody reads it; a server never does.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  bytes: () => process.stdout,
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
