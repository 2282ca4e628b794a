// What an endpoint is: a value that the server binds once, the console calls once and
// the OpenAPI document prints.

import { z } from 'zod';
import type { Forms } from '../compatible/forms.ts';
import { isProjectPermission, type Requirement, type TokenNeed } from '../permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
export type Schema = z.ZodType;
type Status = 200 | 201 | 204 | 302;

/** Bytes of a body that a webhook takes. */
export const webhookLimit = 1024 * 1024;

/** Bytes of a body that anybody may send, without saying who they are. */
export const publicLimit = 16 * 1024;

interface RateLimit {
  max: number;
  windowSeconds: number;
  /**
   * Each server counts for itself. For what only reads: there is nothing to guess, and it must
   * answer while the database does not.
   */
  perServer?: boolean;
}

export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  method: Method;
  /** Fastify's notation: `/api/project/:project_id/keys`. */
  path: string;
  permission: Requirement;
  /** What a caller with an API token needs besides the permission. */
  token: TokenNeed;
  /** Outside projects: a token that is for one project only opens it too. */
  projectTokens: boolean;
  summary: string;
  params: Params;
  query: Query;
  body: Body;
  /** Other forms in which clients of other versions send the body. */
  forms: Forms | null;
  /** The reply is cut to this shape, so a field that is not named here cannot leave. */
  reply: Reply;
  /**
   * Of an answer with a reply; where that is null, it is 204. 302: browsers come here, and the
   * reply is the address that they are sent on to.
   */
  status: Status;
  /** The entity carries a revision: GET answers an ETag, PUT honours If-Match. */
  versioned: boolean;
  /** Open to a session that has yet to set up its second factor: hardly anything is. */
  duringSetup: boolean;
  /** How often one address may call it. */
  rateLimit?: RateLimit;
  /** Other programs send to it: from any origin, and a body of any type, read as bytes. */
  webhook: boolean;
  /** Programs ask for it by whatever name they know the server by; browsers have no use for it. */
  anyHost: boolean;
  /** Bytes of the body, if it may have another size than those of most endpoints. */
  bodyLimit: number | null;
  /** A request without a body, or with `null`, means the same as one with `{}`. */
  optionalBody: boolean;
}

// No keys at all: what an endpoint without params, query or body takes.
const nothing = z.object({});
type Nothing = typeof nothing;

interface Definition<P, Q, B, R> {
  method: Method;
  path: string;
  permission: Requirement;
  token?: TokenNeed;
  projectTokens?: boolean;
  summary: string;
  params?: P;
  query?: Q;
  body?: B;
  forms?: Forms;
  reply?: R;
  status?: Status;
  versioned?: boolean;
  duringSetup?: boolean;
  rateLimit?: RateLimit;
  webhook?: boolean;
  anyHost?: boolean;
  bodyLimit?: number;
  optionalBody?: boolean;
}

/**
 * Declares an endpoint. Throws when a path inside a project does not ask for
 * membership or a project permission, or the reverse, and when anybody may call it
 * without a limit: such a route must not start.
 */
export function endpoint<
  P extends Schema = Nothing,
  Q extends Schema = Nothing,
  B extends Schema = Nothing,
  R extends Schema = z.ZodVoid,
>(definition: Definition<P, Q, B, R>): Endpoint<P, Q, B, R> {
  const { path, permission, rateLimit } = definition;
  checkDefinition(definition);
  const inProject = isInProject(path);
  return {
    method: definition.method,
    path,
    permission,
    token: definition.token ?? tokenNeed(definition.method, permission),
    projectTokens: inProject || (definition.projectTokens ?? false),
    summary: definition.summary,
    params: definition.params ?? (nothing as unknown as P),
    query: definition.query ?? (nothing as unknown as Q),
    body: definition.body ?? (nothing as unknown as B),
    forms: definition.forms ?? null,
    reply: definition.reply ?? (z.void() as unknown as R),
    status: definition.status ?? (definition.reply ? 200 : 204),
    ...flagsOf(definition),
    bodyLimit: bodyLimitOf(definition),
    ...(rateLimit ? { rateLimit } : {}),
  };
}

const isInProject = (path: string): boolean => path.includes('/:project_id');

function checkDefinition({
  method,
  path,
  permission,
  rateLimit,
}: Pick<Endpoint, 'method' | 'path' | 'permission' | 'rateLimit'>): void {
  const asksMembership = permission === 'member' || isProjectPermission(permission);
  if (isInProject(path) !== asksMembership) {
    throw new Error(`${method} ${path}: permission "${permission}" does not fit`);
  }
  if (permission === 'public' && !rateLimit) {
    throw new Error(`${method} ${path}: anybody may call it, so it needs a rate limit`);
  }
}

interface Flags {
  versioned?: boolean;
  duringSetup?: boolean;
  webhook?: boolean;
  anyHost?: boolean;
  optionalBody?: boolean;
}

const flagsOf = ({
  versioned = false,
  duringSetup = false,
  webhook = false,
  anyHost = webhook,
  optionalBody = webhook,
}: Flags): Required<Flags> => ({ versioned, duringSetup, webhook, anyHost, optionalBody });

interface Receiving {
  permission: Requirement;
  webhook?: boolean;
  bodyLimit?: number;
}

function bodyLimitOf({ permission, webhook = false, bodyLimit }: Receiving): number | null {
  if (bodyLimit !== undefined) return bodyLimit;
  if (webhook) return webhookLimit;
  return permission === 'public' ? publicLimit : null;
}

/** Whether a body means anything to it. */
export const takesBody = ({ body }: Pick<Endpoint, 'body'>): boolean =>
  !(body instanceof z.ZodObject) || Object.keys(body.shape).length > 0;

function tokenNeed(method: Method, permission: Requirement): TokenNeed {
  if (method === 'GET') return 'read';
  return permission === 'run_tasks' ? 'run' : 'all';
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = z.output<E['body']>;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

/**
 * The address of a call, below that of the server: the path with its params filled in, and the query
 * without what is undefined. Throws when a param is missing.
 */
export function pathOf(
  { path }: Pick<Endpoint, 'path'>,
  { params, query }: { params?: unknown; query?: unknown } = {},
): string {
  const ids = (params ?? {}) as Record<string, string | number | undefined>;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${path}: "${name}" is missing`);
    return encodeURIComponent(id);
  });
  const search = Object.entries((query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return search.length > 0 ? `${filled}?${search.join('&')}` : filled;
}

// A part that has no required field may be left out.
type Part<Name extends string, S extends Schema> =
  Record<string, never> extends z.input<S>
    ? { [K in Name]?: z.input<S> | undefined }
    : { [K in Name]: z.input<S> };

/** What a caller gives: params, query and body, each where the endpoint takes one. */
export type CallOf<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> & { ifMatch?: string | undefined };
