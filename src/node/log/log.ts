import {
  pino,
  stdTimeFunctions,
  type DestinationStream,
  type Logger,
  type LoggerOptions,
} from 'pino';
import { isDiskFull } from '../fs/disk-full.ts';

export type Log = Logger;

/** Fields of logged objects that may be secret, and are never printed. */
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
      hooks: limitFullDiskErrors(),
    },
    to,
  );
}

/** A log whose lines are written at every level except `silent`. */
export const heard = (log: Log): Log =>
  log.child({}, { level: log.level === 'silent' ? 'silent' : 'info' });

/** When a disk is full, each write fails: such errors are logged without a stack, at most once in `quietMs`. */
function limitFullDiskErrors(): NonNullable<LoggerOptions['hooks']> {
  let quietUntil = -Infinity;
  return {
    logMethod(args, method) {
      const [facts, message = ''] = args as [unknown, string?];
      const error = (facts as { err?: unknown } | null)?.err;
      if (!isDiskFull(error)) return method.apply(this, args);
      if (performance.now() < quietUntil) return;
      quietUntil = performance.now() + quietMs;
      const reason = `${message}: no room (${(error as Error).message}); the same is not told again for a minute`;
      method.apply(this, [reason]);
    },
  };
}

const quietMs = 60_000;
