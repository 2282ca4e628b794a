// Sends requests to addresses that people of a project have chosen; no other code sends them.
//
// The server can reach addresses that its users cannot. So it sends nothing to this machine or to a
// private network, unless the administrator allows it. The check applies to the address that the
// server connects to, which is resolved in the same moment, and not to the name. Redirects are not
// followed, no proxy and no credentials of the machine are used, and only a limited part of an
// answer is read.

import { lookup as resolveName } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body, or its beginning if it is long. */
  body: string;
}

export interface OutboundLimits {
  /** Hosts and networks of the internal network that may be reached too. */
  allowed: string[];
  /** Aborts the request. */
  signal: AbortSignal;
  /** How many bytes of the answer are read, if more than usual. */
  longest?: number;
}

/** Why there is no answer. */
export type OutboundFailure = 'refused_address' | 'unresolved' | 'connection' | 'tls' | 'timeout';

export class OutboundError extends Error {
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, options?: ErrorOptions) {
    super(`no answer: ${reason}`, options);
    this.reason = reason;
  }
}

const longestBody = 64 * 1024;

/** The answer of the server, whatever its status is. Throws an `OutboundError` if there is none. */
export async function sendOutbound(
  { url: text, method, headers, body }: OutboundRequest,
  { allowed, signal, longest = longestBody }: OutboundLimits,
): Promise<OutboundAnswer> {
  const url = new URL(text);
  const isAllowed = rule(allowed);
  // Addresses are not resolved, so they are checked here. The URL has turned short forms of an
  // address (127.1, 0x7f000001) into the full form.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!/^https?:$/.test(url.protocol) || (isIP(host) > 0 && !isAllowed(host, host))) {
    throw new OutboundError('refused_address');
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(toOutboundError(error));
    try {
      // A new agent for each request, without kept connections and without the proxies of the
      // process.
      const options = {
        method,
        headers,
        signal,
        agent: false,
        lookup: guarded(isAllowed),
      } as const;
      const request = send(url, options, (answer) => {
        void readBody(answer, longest).then((read) => {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read });
        }, fail);
      });
      request.on('error', fail);
      request.end(body);
    } catch (error) {
      reject(error);
    }
  });
}

type IsAllowed = (host: string, address: string) => boolean;

/** Resolves a name, and refuses it if any of its addresses is not allowed. */
function guarded(isAllowed: IsAllowed): LookupFunction {
  return (host, options, callback) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(new OutboundError('unresolved', { cause: error }), []);
        return;
      }
      const isRefused = addresses.some(({ address }) => !isAllowed(host, address));
      const [first] = addresses;
      if (isRefused || !first) callback(new OutboundError('refused_address'), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** The beginning of a body; it may also end because the connection breaks. */
async function readBody(answer: IncomingMessage, longest: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= longest) break;
    }
  } catch {
    // The status has arrived, which is what decides.
  }
  answer.destroy();
  return Buffer.concat(pieces).subarray(0, longest).toString('utf8');
}

function toOutboundError(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError') return new OutboundError('timeout', { cause: error });
  const isTls = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code);
  return new OutboundError(isTls ? 'tls' : 'connection', { cause: error });
}

type Network = [address: string, prefix: number];

// Networks that do not belong to the public internet, by RFC 6890 and its successors.
const inside4: Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
// Only this part of IPv6 is public; the forms that contain an IPv4 address (mapped, NAT64) are
// outside it, except for the following.
const public6: Network = ['2000::', 3];
const inside6: Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const inside = new BlockList();
for (const [address, prefix] of inside4) inside.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of inside6) inside.addSubnet(address, prefix, 'ipv6');
const outside6 = new BlockList();
outside6.addSubnet(...public6, 'ipv6');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address belongs to the public internet. */
export function isPublic(address: string): boolean {
  const family = familyOf(address);
  if (isIP(address) === 0 || inside.check(address, family)) return false;
  return family === 'ipv4' || outside6.check(address, family);
}

const network = /^(.+)\/(\d{1,3})$/;

/** The rule for allowed addresses: the public internet, and these hosts, addresses and networks. */
function rule(allowed: string[]): IsAllowed {
  const hosts = new Set<string>();
  const networks = new BlockList();
  for (const entry of allowed) {
    const [, base = '', prefix = ''] = network.exec(entry) ?? [];
    if (isIP(base) > 0) networks.addSubnet(base, Number(prefix), familyOf(base));
    else if (isIP(entry) > 0) networks.addAddress(entry, familyOf(entry));
    else hosts.add(entry.toLowerCase());
  }
  return (host, address) =>
    isPublic(address) || hosts.has(host) || networks.check(address, familyOf(address));
}

/** Whether a text is a host, an address or a network. */
export function isHostOrNetwork(text: string): boolean {
  const [, base = '', prefix = ''] = network.exec(text) ?? [];
  if (isIP(base) > 0) return Number(prefix) <= (isIP(base) === 6 ? 128 : 32);
  return isIP(text) > 0 || /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/i.test(text);
}
