// Calls an endpoint of the contract.

import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/path.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { sessionEnd } from './session-end.ts';

/** The arguments after the endpoint; optional where the endpoint needs none. */
export type ArgsOf<E extends Endpoint> =
  Record<string, never> extends CallOf<E> ? [args?: CallOf<E>] : [args: CallOf<E>];

type AnyArgs = {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  ifMatch?: string | undefined;
};

/**
 * The revision of a resource when it was read, for the header `If-Match` of its change; undefined
 * for a resource without one. It is a field of the resource, because the query cache copies
 * resources field by field: stored elsewhere, it could belong to another reading than the values
 * do.
 */
export const revisionOf = (resource: object): string | undefined =>
  (resource as { revision?: string }).revision;

/** A failed request: refused by the server (with `body`), or without response (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: Partial<ErrorBody>;

  constructor(status: number, message: string, body: Partial<ErrorBody> = {}, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.body = body;
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const isJson = response.headers.get('content-type')?.includes('json');
  return isJson ? await response.json() : await response.text();
}

async function refusalOf(response: Response): Promise<ApiError> {
  const body = await bodyOf(response).catch(() => undefined);
  const known = typeof body === 'object' && body !== null ? (body as Partial<ErrorBody>) : {};
  const status = `${response.status} ${response.statusText}`.trim();
  return new ApiError(response.status, known.error || status, known);
}

function headersOf({ body, ifMatch }: AnyArgs): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(ifMatch ? { 'if-match': ifMatch } : {}),
  };
}

async function answerTo(
  endpoint: Endpoint,
  args: AnyArgs,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetch(pathOf(endpoint, args), {
      method: endpoint.method,
      headers: headersOf(args),
      ...(args.body === undefined ? {} : { body: JSON.stringify(args.body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, cause instanceof Error ? cause.message : '', {}, cause);
  }
}

function withRevision(endpoint: Endpoint, response: Response, body: unknown): unknown {
  const revision = response.headers.get('etag');
  const isRead = endpoint.versioned && endpoint.method === 'GET';
  return isRead && revision ? { ...(body as object), revision } : body;
}

/** The body of the response; throws if the server refused the request. */
async function acceptedBy(
  endpoint: Endpoint,
  args: AnyArgs,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await answerTo(endpoint, args, signal);
  if (response.ok) return response;
  const refusal = await refusalOf(response);
  if (refusal.status !== 401 || refusal.body.code !== 'session.required') throw refusal;
  await sessionEnd.wait();
  return acceptedBy(endpoint, args, signal);
}

export async function request<E extends Endpoint>(
  endpoint: E,
  args: AnyArgs = {},
  signal?: AbortSignal,
): Promise<ReplyOf<E>> {
  const response = await acceptedBy(endpoint, args, signal);
  return withRevision(endpoint, response, await bodyOf(response)) as ReplyOf<E>;
}

/** A page of a list, from the newest item on. */
export interface ListPage<Item> {
  items: Item[];
  /** The id after which the next page begins; null on the last page. */
  next: number | null;
}

export async function requestPage<Item>(
  endpoint: Endpoint,
  args: AnyArgs,
  signal?: AbortSignal,
): Promise<ListPage<Item>> {
  const response = await acceptedBy(endpoint, args, signal);
  const link = response.headers.get('link') ?? '';
  const [address = ''] = link.split('>; rel="next"', 1);
  const [, next] = (address !== link && /[?&]before=(\d+)/.exec(address)) || [];
  return { items: (await bodyOf(response)) as Item[], next: next ? Number(next) : null };
}

export function call<E extends Endpoint>(endpoint: E, ...args: ArgsOf<E>): Promise<ReplyOf<E>> {
  return request(endpoint, args[0] as AnyArgs | undefined);
}
