// The id of a request, which is in its answer and in every line of the log about it. A trusted proxy
// may set the id.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

// Characters that are safe in a header, in a line of a log and in a shell.
const usable = /^[\w.:=+/-]{1,128}$/;

export function requestIds(trustedProxies: string[]): (request: IncomingMessage) => string {
  const trusted = networks(trustedProxies);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const isUsable = typeof given === 'string' && usable.test(given);
    return isUsable && holds(trusted, socket.remoteAddress ?? '') ? given : randomUUID();
  };
}

function networks(entries: string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) continue;
    if (prefix === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(prefix)) list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const holds = (list: BlockList, address: string): boolean =>
  isIP(address) > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
