// The server's own log, on standard error as JSON lines.

import { pino, type DestinationStream, type Logger } from 'pino';

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
  return pino({ level, base: null, redact: { paths, censor: '[hidden]' } }, to);
}
