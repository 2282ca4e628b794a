// Endpoints of the API as values: the server binds handlers to them, the console calls them, and the OpenAPI document is
// generated from them.

import { z } from 'zod';
import type { Forms } from '../compatible/forms.ts';
import type { ErrorCode } from '../catalogue/errors.ts';
import type { Requirement, TokenNeed } from '../permissions.ts';
import { isOfRunning, isRight } from '../rights.ts';
import { pathParams, type NoParams, type PathParams } from './path-params.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
export type Schema = z.ZodType;
type Status = 200 | 201 | 204 | 302;

/** The body limit of webhooks. */
export const webhookLimit = 1024 * 1024;

/** The body limit of endpoints without authentication. */
export const publicLimit = 16 * 1024;

interface RateLimit {
  max: number;
  windowSeconds: number;
  /**
   * Each server counts calls by itself. For endpoints that only read and do not check secrets, which must work while
   * the database is unreachable.
   */
  perServer?: boolean;
}

/** JSON as text is a document that was serialized before. */
type TextType = 'text/plain' | 'text/csv' | 'application/json';

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
  /** The scope that an API token needs in addition to the permission of its user. */
  token: TokenNeed;
  /** Whether project tokens may call this endpoint, although it is outside of projects. */
  projectTokens: boolean;
  summary: string;
  params: Params;
  query: Query;
  body: Body;
  /** The formats in which clients of other versions send the body. */
  forms: Forms | null;
  /**
   * The optional fields of a PUT that restrict a run or an access, such as `limit` or `task_params.limit`. An absent
   * one keeps its value; only an empty value clears it.
   */
  kept: readonly string[];
  /**
   * The codes with which it refuses valid requests of authorized callers, such as `key.name_taken`. Those that follow
   * from the other properties are derived (`refusals.ts`).
   */
  refuses: readonly ErrorCode[];
  /** The schema of the reply. The server removes all other fields. */
  reply: Reply;
  /** The content type of a text reply. */
  textType: TextType;
  /** The status with a reply; null replies have 204. 302 redirects the browser to the address in the reply. */
  status: Status;
  /** Whether the resource has a revision: GET returns an ETag, and PUT and PATCH check If-Match. */
  versioned: boolean;
  /** Whether a session may call it before the required second factor is set up. */
  duringSetup: boolean;
  /** The limit of calls per client address. */
  rateLimit?: RateLimit;
  /** Whether other programs send requests to it: from any origin, with a body of any type, which is read as bytes. */
  webhook: boolean;
  /** Whether it accepts any host name, for programs other than browsers. */
  anyHost: boolean;
  /** Whether the body is parsed as JSON whatever its content type is, also of browsers. */
  anyType: boolean;
  /** The body limit in bytes; null: the default. */
  bodyLimit: number | null;
  /** The limit of values in its JSON; null: the default. */
  mostValues: number | null;
  /** Whether an absent or null body means `{}`. */
  optionalBody: boolean;
  /** Whether it exists for clients of other versions only, as the OpenAPI document notes. */
  forOthers: boolean;
  /** Whether the right is needed on the object that the request names, which the handler checks. */
  ofObject: boolean;
  /** Whether a GET reads also what the caller does not see, and leaves it out by itself or only uses it. */
  readsAll: boolean;
}

// The query or body of an endpoint that has none.
const nothing = z.object({});
type Nothing = typeof nothing;

type Defined<Own, Q extends Schema, B extends Schema, R extends Schema> = Omit<
  Endpoint<Schema, Q, B, R>,
  'method' | 'path' | 'params'
> & {
  /** Those params of the path that `path-params.ts` does not know, or knows as another resource. */
  params: Own;
};

export type Details<Own, Q extends Schema, B extends Schema, R extends Schema> = Pick<
  Endpoint,
  'permission' | 'summary'
> &
  Partial<Defined<Own, Q, B, R>>;

/**
 * Defines an endpoint. A server does not start with an endpoint whose permission does not fit its path, or without
 * authentication and rate limit: this function throws.
 */
export function endpoint<
  const Path extends string,
  Own extends z.ZodRawShape = NoParams,
  Q extends Schema = Nothing,
  B extends Schema = Nothing,
  R extends Schema = z.ZodVoid,
>(
  definition: Details<Own, Q, B, R> & { method: Method; path: Path },
): Endpoint<PathParams<Path, Own>, Q, B, R> {
  const { method, path, permission, webhook = false } = definition;
  checkDefinition(definition);
  return {
    token: tokenNeed(method, permission),
    query: nothing as unknown as Q,
    body: nothing as unknown as B,
    forms: null,
    kept: [],
    refuses: [],
    reply: z.void() as unknown as R,
    textType: 'text/plain',
    status: definition.reply ? 200 : 204,
    versioned: false,
    duringSetup: false,
    webhook,
    anyHost: webhook,
    anyType: webhook,
    bodyLimit: webhook ? webhookLimit : permission === 'public' ? publicLimit : null,
    mostValues: null,
    optionalBody: webhook,
    forOthers: false,
    ofObject: false,
    readsAll: false,
    ...definition,
    params: pathParams<Path, Own>(path, definition.params ?? ({} as Own)),
    projectTokens: isInProject(path) || (definition.projectTokens ?? false),
  };
}

/** Defines endpoints of one method, as in `endpoint.get('/api/path', { … })`. */
const ofMethod =
  (method: Method) =>
  <
    const Path extends string,
    Own extends z.ZodRawShape = NoParams,
    Q extends Schema = Nothing,
    B extends Schema = Nothing,
    R extends Schema = z.ZodVoid,
  >(
    path: Path,
    details: Details<Own, Q, B, R>,
  ): Endpoint<PathParams<Path, Own>, Q, B, R> =>
    endpoint({ ...details, method, path });

endpoint.get = ofMethod('GET');
endpoint.post = ofMethod('POST');
endpoint.put = ofMethod('PUT');
endpoint.delete = ofMethod('DELETE');

const isInProject = (path: string): boolean => path.includes('/:project_id');

function checkDefinition({
  method,
  path,
  permission,
  rateLimit,
}: Pick<Endpoint, 'method' | 'path' | 'permission' | 'rateLimit'>): void {
  const asksMembership = permission === 'member' || isRight(permission);
  if (isInProject(path) !== asksMembership) {
    throw new Error(`${method} ${path}: permission "${permission}" does not fit`);
  }
  if (permission === 'public' && !rateLimit) {
    throw new Error(`${method} ${path}: anybody may call it, so it needs a rate limit`);
  }
}

/** Whether a params, query or body schema has fields; other schemas than objects always do. */
export const hasFields = (schema: Schema): boolean =>
  !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;

export const takesBody = ({ body }: Pick<Endpoint, 'body'>): boolean => hasFields(body);

function tokenNeed(method: Method, permission: Requirement): TokenNeed {
  if (method === 'GET') return 'read';
  return isRight(permission) && isOfRunning(permission) ? 'run' : 'all';
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = z.output<E['body']>;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

// Callers may leave out a part that has no required field.
type Part<Name extends string, S extends Schema> =
  Record<string, never> extends z.input<S>
    ? { [K in Name]?: z.input<S> | undefined }
    : { [K in Name]: z.input<S> };

/** The arguments of a call of the endpoint. */
export type CallOf<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> & { ifMatch?: string | undefined };
