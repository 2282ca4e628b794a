// Sends requests to addresses that people of a project have chosen; no other code sends them.
//
// The server can reach addresses that its users cannot. So it sends nothing to this machine or to a
// private network, unless the administrator allows it. The check applies to the address that the
// server connects to, which is resolved in the same moment, and not to the name. Redirects are not
// followed, no credentials of the machine are used, and only a limited part of an answer is read.
//
// Through a proxy of the administrator, the proxy resolves the name and decides in the end. What is known
// here to lead inside is refused before it is asked; a name that only the proxy can resolve is left to it.

import { lookup as resolveName } from 'node:dns';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionTo, unlessAborted } from '../../node/net/connections.ts';
import type { Proxies } from '../../node/net/proxies.ts';
import { addressRule, type IsAllowed } from './address-rule.ts';

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
  /** The proxies of the service. */
  proxies: Proxies;
  /** Aborts the request. */
  signal: AbortSignal;
  /** How many bytes of the answer are read, if more than usual. */
  longest?: number;
}

/** Why there is no answer. */
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

/** The answer of the server, whatever its status is. Throws an `OutboundError` if there is none. */
export async function sendOutbound(
  asked: OutboundRequest,
  { allowed, proxies, signal, longest = MAX_BODY_LENGTH }: OutboundLimits,
): Promise<OutboundAnswer> {
  const url = new URL(asked.url);
  const isAllowed = addressRule(allowed);
  // Addresses are not resolved, so they are checked here. The URL has turned short forms of an
  // address (127.1, 0x7f000001) into the full form.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!/^https?:$/.test(url.protocol) || (isIP(host) > 0 && !isAllowed(host, host))) {
    throw new OutboundError('refused_address');
  }
  // A new agent for each request, without kept connections.
  const { agent, proxy } = connectionTo(url, proxies);
  if (proxy !== null && isIP(host) === 0) await refuseInside(host, isAllowed);
  try {
    const opened = new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const { method, headers } = asked;
      // A proxy may have an address inside.
      const lookup = proxy === null ? { lookup: guarded(isAllowed) } : {};
      const request = send(url, { method, headers, signal, agent, ...lookup }, resolve);
      request.on('error', reject);
      request.end(asked.body);
    });
    const answer = await unlessAborted(signal, opened);
    const { statusCode: status = 0, headers } = answer;
    const body = await readBody(answer, longest);
    if (proxy !== null && status === 407) throw new OutboundError('proxy');
    return { status, headers, body };
  } catch (error) {
    // Of a type is a mistake in the request, such as a header that cannot be sent.
    throw error instanceof TypeError ? error : toOutboundError(error as Error, proxy !== null);
  }
}

// Behind a proxy a machine often has no name server that answers.
const MAX_LOOKUP_MS = 2000;

/** Refuses a name that leads inside, as far as this machine can tell. */
async function refuseInside(host: string, isAllowed: IsAllowed): Promise<void> {
  const late = new AbortController();
  const found = new Promise<void>((resolve, reject) => {
    guarded(isAllowed)(host, { all: true }, (error) => {
      if (error instanceof OutboundError && error.reason === 'refused_address') reject(error);
      else resolve();
    });
  });
  try {
    await Promise.race([found, delay(MAX_LOOKUP_MS, undefined, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}

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
