// The server's own log, on standard error as JSON lines.

import {
  pino,
  stdTimeFunctions,
  type DestinationStream,
  type Logger,
  type LoggerOptions,
} from 'pino';
import { isDiskFull } from './full.ts';

export type Log = Logger;

/** Never print what carries a secret, wherever it hangs in a logged object. */
const hidden = ['authorization', 'cookie', 'password', 'private_key', 'passphrase', 'secret'];

export function createLog(level: string, to: DestinationStream = process.stderr): Log {
  const paths = hidden.flatMap((name) => [
    name,
    `*.${name}`,
    `*.*.${name}`,
    `*.headers["${name}"]`,
  ]);
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (word) => ({ level: word }) },
      redact: { paths, censor: '[hidden]' },
      hooks: tellOfFullDisk(),
    },
    to,
  );
}

/** For lines that are written whatever the level is, unless the log is silent. */
export const heard = (log: Log): Log =>
  log.child({}, { level: log.level === 'silent' ? 'silent' : 'info' });

/**
 * Of a full disk everything complains that writes anything, again and again: one line without a
 * stack stands for all of that for a while.
 */
function tellOfFullDisk(): NonNullable<LoggerOptions['hooks']> {
  let quietUntil = -Infinity;
  return {
    logMethod(args, method) {
      const [facts, message = ''] = args as [unknown, string?];
      const error = (facts as { err?: unknown } | null)?.err;
      if (!isDiskFull(error)) return method.apply(this, args);
      if (performance.now() < quietUntil) return;
      quietUntil = performance.now() + quietTime;
      const reason = `${message}: no room (${(error as Error).message}); the same is not told again for a minute`;
      method.apply(this, [reason]);
    },
  };
}

// Milliseconds.
const quietTime = 60_000;
