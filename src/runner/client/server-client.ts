// Sends the requests of a runner to its server, over a socket of the same machine or over the network.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/path.ts';
import { LogLinesLostError, ServerUnavailableError } from '../api/server-unavailable.ts';
import { connectionTo, unlessAborted, type Connection } from '../../node/net/connections.ts';
import { noProxies, type Proxies } from '../../node/net/proxies.ts';
import { proxyLoginMissing, unreachableReason } from './unreachable-reason.ts';

export class RefusedRequestError extends Error {
  readonly status: number;
  readonly refusal: string;

  constructor(status: number, refusal: string, message: string) {
    super(message);
    this.status = status;
    this.refusal = refusal;
  }
}

/** Whether the server refused a request because it does not know the runner: somebody has removed it. */
export const isRemovedRunner = (error: unknown): boolean =>
  error instanceof RefusedRequestError && error.status === 401;

export type CallServer = <E extends Endpoint>(
  endpoint: E,
  args: CallOf<E>,
  signal?: AbortSignal,
) => Promise<ReplyOf<E>>;

/** The address of a server. */
export interface ServerAddress {
  /** Without a slash at the end. */
  url: string;
  /** A socket of this machine on which the server listens; absent: the network is used. */
  socketPath?: string | undefined;
  /** Absent: none. */
  proxies?: Proxies;
}

const REQUEST_TIMEOUT_MS = 30_000;

// For one runner. A thousand runs can end at once, and the backlog of a Unix socket holds only a few hundred
// connections.
const connectionPool = { keepAlive: true, maxSockets: 32 };

/** `credential` is null until the runner has registered. */
export function createServerClient(server: ServerAddress, credential: string | null): CallServer {
  const { url, proxies = noProxies } = server;
  const connection = connectionTo(new URL(url), proxies, connectionPool);
  return async (endpoint, args, signal) => {
    const late = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await send(server, {
      method: endpoint.method,
      path: pathOf(endpoint, args),
      credential,
      connection,
      // Buffers are sent faster than strings.
      body: Buffer.from(JSON.stringify(args.body ?? {})),
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    const reply: unknown = answer === '' ? undefined : JSON.parse(answer);
    return endpoint.reply.parse(reply) as ReplyOf<typeof endpoint>;
  };
}

interface ServerRequest {
  method: string;
  path: string;
  credential: string | null;
  connection: Connection;
  body: Buffer;
  signal: AbortSignal;
}

async function send(server: ServerAddress, question: ServerRequest): Promise<string> {
  const { proxy } = question.connection;
  const through = proxy === null ? '' : ` through the proxy ${proxy}`;
  let status: number;
  let text: string;
  try {
    const answer = await unlessAborted(question.signal, open(server, question));
    status = answer.statusCode ?? 0;
    text = await readText(answer);
  } catch (error) {
    const cause = question.signal.aborted ? question.signal.reason : error;
    throw new ServerUnavailableError(
      `Cannot reach the server${through}. ${unreachableReason(cause)}`,
      { cause },
    );
  }
  if (status >= 200 && status < 300) return text;
  const { code = '', error = '' } = readRefusal(text);
  // From a proxy, or from a server that shuts down, has failed or cannot store anything now.
  if (status >= 500 || code === '') {
    if (status === 407)
      throw new ServerUnavailableError(`Cannot reach the server${through}. ${proxyLoginMissing}`);
    throw new ServerUnavailableError(`The server answers with ${status}.`);
  }
  if (code === 'runner.lines_missing') throw new LogLinesLostError(error);
  throw new RefusedRequestError(status, code, error);
}

function open(server: ServerAddress, question: ServerRequest): Promise<IncomingMessage> {
  const url = new URL(server.url + question.path);
  const options = {
    method: question.method,
    headers: {
      'content-type': 'application/json',
      'content-length': question.body.length,
      ...(question.credential !== null && { authorization: `Bearer ${question.credential}` }),
    },
    agent: question.connection.agent,
    signal: question.signal,
    ...(server.socketPath !== undefined && { socketPath: server.socketPath }),
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server has just closed the kept-alive connection.
      const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      if (isStale) resolve(open(server, question));
      else reject(error);
    });
    request.end(question.body);
  });
}

function readRefusal(text: string): { code?: string; error?: string } {
  try {
    return JSON.parse(text) as { code?: string; error?: string };
  } catch {
    return {};
  }
}
