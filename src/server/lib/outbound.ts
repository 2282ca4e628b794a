// Sends requests to addresses that users of a project have chosen; no other code sends them.
//
// The server can reach addresses that its users cannot (SSRF). Requests to this machine or to a private
// network are refused unless the administrator allows them. The check applies to the resolved address of
// the connection, not to the name. Redirects are not followed, no credentials of the machine are used, and
// only the beginning of a response is read.
//
// A proxy of the administrator resolves names itself, so a name is refused only if it is known here to
// resolve to a private address.

import { lookup as resolveName } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { connectionTo, unlessAborted } from '../../node/net/connections.ts';
import type { Proxies } from '../../node/net/proxies.ts';
import { addressRule, type IsAllowed } from './address-rule.ts';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

export function jsonRequest(
  url: string,
  content: object,
  headers: Record<string, string> = {},
): OutboundRequest {
  const body = JSON.stringify(content);
  const own = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'Signalbox',
  };
  return { url, method: 'POST', headers: { ...own, ...headers }, body };
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
  proxies: Proxies;
  signal: AbortSignal;
  /** The most bytes of the body that are read; 64 KiB by default. */
  maxBytes?: number;
}

export type OutboundFailure =
  | 'refused_address'
  | 'unresolved'
  | 'connection'
  | 'proxy'
  | 'tls'
  | 'timeout';

export class OutboundError extends Error {
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, options?: ErrorOptions) {
    super(`no answer: ${reason}`, options);
    this.reason = reason;
  }
}

const MAX_BODY_LENGTH = 64 * 1024;

/** Returns the response of any status; throws an `OutboundError` if there is none. */
export async function sendOutbound(
  outbound: OutboundRequest,
  { allowed, proxies, signal, maxBytes = MAX_BODY_LENGTH }: OutboundLimits,
): Promise<OutboundAnswer> {
  const url = new URL(outbound.url);
  const isAllowed = addressRule(allowed);
  // Literal addresses are not resolved. `URL` has normalised short forms (127.1, 0x7f000001).
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!/^https?:$/.test(url.protocol) || (isIP(host) > 0 && !isAllowed(host, host))) {
    throw new OutboundError('refused_address');
  }
  // No connection is kept alive.
  const { agent, proxy } = connectionTo(url, proxies);
  if (proxy !== null && isIP(host) === 0) await refusePrivate(host, isAllowed);
  try {
    const opened = new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const { method, headers } = outbound;
      // A proxy may have a private address.
      const lookup = proxy === null ? { lookup: guarded(isAllowed) } : {};
      const request = send(url, { method, headers, signal, agent, ...lookup }, resolve);
      request.on('error', reject);
      request.end(outbound.body);
    });
    const answer = await unlessAborted(signal, opened);
    const { statusCode: status = 0, headers } = answer;
    const body = await readBody(answer, maxBytes);
    if (proxy !== null && status === 407) throw new OutboundError('proxy');
    return { status, headers, body };
  } catch (error) {
    // A TypeError is a mistake in the request, such as an invalid header.
    throw error instanceof TypeError ? error : toOutboundError(error as Error, proxy !== null);
  }
}

// Behind a proxy a machine often has no working name server.
const MAX_LOOKUP_MS = 2000;

/** Refuses a name that this machine resolves to a private address. */
async function refusePrivate(host: string, isAllowed: IsAllowed): Promise<void> {
  const found = new Promise<void>((resolve, reject) => {
    guarded(isAllowed)(host, { all: true }, (error) => {
      if (error instanceof OutboundError && error.reason === 'refused_address') reject(error);
      else resolve();
    });
  });
  const limit = AbortSignal.timeout(MAX_LOOKUP_MS);
  await unlessAborted(limit, found).catch((error: unknown) => {
    if (error !== limit.reason) throw error;
  });
}

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

/** Reads the beginning of a body, which also ends when the connection breaks. */
async function readBody(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= maxBytes) break;
    }
  } catch {
    // The status has arrived already, and it is decisive.
  }
  answer.destroy();
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8');
}

function toOutboundError(error: Error, isProxied: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/^(?:AbortError|TimeoutError)$/.test(error.name)) {
    return new OutboundError('timeout', { cause: error });
  }
  const isTls = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code);
  if (isTls) return new OutboundError('tls', { cause: error });
  return new OutboundError(isProxied ? 'proxy' : 'connection', { cause: error });
}
