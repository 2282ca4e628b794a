// Endpoints of the API as values: the server binds a handler to each of them, the console calls them,
// and the OpenAPI document is printed from them.

import { z } from 'zod';
import type { Forms } from '../compatible/forms.ts';
import type { ErrorCode } from '../catalogue/errors.ts';
import { isProjectPermission, type Requirement, type TokenNeed } from '../permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
export type Schema = z.ZodType;
type Status = 200 | 201 | 204 | 302;

/** The largest body that a webhook accepts, in bytes. */
export const webhookLimit = 1024 * 1024;

/** The largest body of an endpoint without authentication, in bytes. */
export const publicLimit = 16 * 1024;

interface RateLimit {
  max: number;
  windowSeconds: number;
  /**
   * Each server counts calls by itself, not in the database. This is for endpoints that only read:
   * callers cannot guess a secret there, and they must work while the database cannot be reached.
   */
  perServer?: boolean;
}

/** A text of JSON is a document that was printed before it was asked for. */
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
  /** Whether a token that is limited to one project may call this endpoint, although it is outside of projects. */
  projectTokens: boolean;
  summary: string;
  params: Params;
  query: Query;
  body: Body;
  /** The forms in which clients of other versions send the body. */
  forms: Forms | null;
  /**
   * The optional fields of a PUT that narrow a run or guard an entrance, such as `limit` or
   * `task_params.limit`. One that is missing keeps its value; only an empty value clears it.
   */
  kept: readonly string[];
  /**
   * The codes with which it refuses a valid request of somebody who may send it, such as
   * `key.name_taken`. Those that follow from the other values are derived (`refusals.ts`).
   */
  refuses: readonly ErrorCode[];
  /** The shape of the reply. The server removes every field that is not named here. */
  reply: Reply;
  /** The type of a reply that is a text. */
  textType: TextType;
  /**
   * The status of an answer with a reply; an answer whose reply is null has 204. 302 redirects a
   * browser, and the reply is the address to which it is sent.
   */
  status: Status;
  /** Whether the resource has a revision: GET then answers an ETag, and PUT and PATCH check If-Match. */
  versioned: boolean;
  /** Whether a session that still has to set up a second factor may call it; very few endpoints allow that. */
  duringSetup: boolean;
  /** How often one client address may call it. */
  rateLimit?: RateLimit;
  /** Whether other programs send requests to it: from any origin, with a body of any type, which is read as bytes. */
  webhook: boolean;
  /** Whether it answers under any host name. This is for programs; browsers do not use such endpoints. */
  anyHost: boolean;
  /** Whether the body is read as JSON whatever its content type is, also of browsers. */
  anyType: boolean;
  /** The largest body in bytes, if it differs from the usual limit. */
  bodyLimit: number | null;
  /** The most values of its JSON, if it takes more than other endpoints do. */
  mostValues: number | null;
  /** Whether a request without a body, or with `null`, means the same as one with `{}`. */
  optionalBody: boolean;
  /** Whether it is there for clients of other versions only, which the OpenAPI document says. */
  forOthers: boolean;
}

// An object without fields: the params, query or body of an endpoint that has none.
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
  kept?: readonly string[];
  refuses?: readonly ErrorCode[];
  reply?: R;
  textType?: TextType;
  status?: Status;
  versioned?: boolean;
  duringSetup?: boolean;
  rateLimit?: RateLimit;
  webhook?: boolean;
  anyHost?: boolean;
  anyType?: boolean;
  bodyLimit?: number;
  mostValues?: number;
  optionalBody?: boolean;
  forOthers?: boolean;
}

/**
 * Declares an endpoint. Throws when a path inside a project does not require membership or a
 * project permission, when a path outside of projects does, and when an endpoint without
 * authentication has no limit of calls: a server with such an endpoint must not start.
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
    ...listsOf(definition),
    reply: definition.reply ?? (z.void() as unknown as R),
    textType: definition.textType ?? 'text/plain',
    status: definition.status ?? (definition.reply ? 200 : 204),
    ...flagsOf(definition),
    bodyLimit: bodyLimitOf(definition),
    mostValues: definition.mostValues ?? null,
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

const listsOf = ({
  kept = [],
  refuses = [],
}: Partial<Pick<Endpoint, 'kept' | 'refuses'>>): Pick<Endpoint, 'kept' | 'refuses'> => ({
  kept,
  refuses,
});

interface Flags {
  versioned?: boolean;
  duringSetup?: boolean;
  webhook?: boolean;
  anyHost?: boolean;
  anyType?: boolean;
  optionalBody?: boolean;
  forOthers?: boolean;
}

const flagsOf = ({
  versioned = false,
  duringSetup = false,
  webhook = false,
  anyHost = webhook,
  anyType = webhook,
  optionalBody = webhook,
  forOthers = false,
}: Flags): Required<Flags> => ({
  versioned,
  duringSetup,
  webhook,
  anyHost,
  anyType,
  optionalBody,
  forOthers,
});

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

/** Whether a params, query or body schema has fields; one of another kind than an object always does. */
export const hasFields = (schema: Schema): boolean =>
  !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;

/** Whether the endpoint takes a body. */
export const takesBody = ({ body }: Pick<Endpoint, 'body'>): boolean => hasFields(body);

function tokenNeed(method: Method, permission: Requirement): TokenNeed {
  if (method === 'GET') return 'read';
  return permission === 'run_tasks' ? 'run' : 'all';
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

/** What a caller of the endpoint passes: params, query and body, each if the endpoint has them. */
export type CallOf<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> & { ifMatch?: string | undefined };
