// Request ids, for responses and log lines. Trusted proxies may set them.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { familyOf, parseNetworks } from '../lib/address-rule.ts';

// Safe in a header, a log line and a shell.
const usable = /^[\w.:=+/-]{1,128}$/;

export function requestIds(trustedProxies: string[]): (request: IncomingMessage) => string {
  const { networks } = parseNetworks(trustedProxies);
  const isTrusted = (address = ''): boolean =>
    isIP(address) > 0 && networks.check(address, familyOf(address));
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const isUsable = typeof given === 'string' && usable.test(given);
    return isUsable && isTrusted(socket.remoteAddress) ? given : randomUUID();
  };
}
