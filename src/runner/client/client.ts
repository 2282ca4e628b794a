// Asks the server, as a runner without the database. What cannot be answered at present may be
// later: such an error counts as that of a database that is away.

import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import { whyAway } from './away.ts';

/** Nobody has answered, or somebody in between did. */
export class ServerAway extends Error {
  /** What tells it from answers, as with errors of the network. */
  readonly code = 'ETIMEDOUT';
}

/** The server has answered, and said no. */
export class Refusal extends Error {
  readonly status: number;
  readonly refusal: string;

  constructor(status: number, refusal: string, message: string) {
    super(message);
    this.status = status;
    this.refusal = refusal;
  }
}

export type Ask = <E extends Endpoint>(
  endpoint: E,
  args: CallOf<E>,
  signal?: AbortSignal,
) => Promise<ReplyOf<E>>;

/** Milliseconds that an answer may take. */
const patience = 30_000;

/** `credential`: null, as long as there is none. */
export function createAsk(server: string, credential: string | null): Ask {
  return async (endpoint, args, signal) => {
    const params = (args.params ?? {}) as Record<string, unknown>;
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(params[name])),
    );
    const late = AbortSignal.timeout(patience);
    const answer = await send(`${server}${path}`, {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify(args.body ?? {}),
      // A credential is for this server alone.
      redirect: 'error',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    return endpoint.reply.parse(JSON.parse(answer)) as ReplyOf<typeof endpoint>;
  };
}

async function send(url: string, request: RequestInit): Promise<string> {
  let status: number;
  let text: string;
  try {
    const answer = await fetch(url, request);
    status = answer.status;
    text = await answer.text();
  } catch (cause) {
    throw new ServerAway(`The server cannot be reached. ${whyAway(cause)}`, { cause });
  }
  if (status < 300) return text || 'null';
  const { code = '', error = '' } = readRefusal(text);
  // A proxy, or a server that ends or has failed.
  if (status >= 500 || code === '') throw new ServerAway(`The server answers with ${status}.`);
  throw new Refusal(status, code, error);
}

function readRefusal(text: string): { code?: string; error?: string } {
  try {
    return JSON.parse(text) as { code?: string; error?: string };
  } catch {
    return {};
  }
}
