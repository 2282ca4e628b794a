// The I/O of a command, replaceable by tests.

import type { Readable, Writable } from 'node:stream';
import type { Log } from '../../node/log/log.ts';
import type { Config } from '../config/config.ts';

/** A mistake in the command line. */
export class UsageError extends Error {}

export interface Surroundings {
  /** By default the environment of the process. */
  environment?: NodeJS.ProcessEnv;
  input: Readable;
  output: Sink;
  errors: Sink;
  /** Standard output for binary data. */
  bytes: () => Writable;
  /** Settles on a termination signal. */
  untilSignal: () => Promise<void>;
}

interface Sink {
  write: (text: string) => unknown;
}

/** The start options of a server. */
export interface Beginning {
  at: Surroundings;
  config: Config;
  log: Log;
  /** Settles on a termination signal. */
  signalled: Promise<void>;
}

export const ownProcess: Surroundings = {
  // Opened lazily; a server never reads it.
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
