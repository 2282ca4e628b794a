// Binds one endpoint to one handler. In this order, so that nobody learns more than they may:
//   the sender (401) → params (400) → the project exists for them (404) → permission (403)
//   → what the route asks before it reads the body → the body is read → query and body (400) → handler → the reply is cut to its schema.
// An async iterable as the result of a handler is sent piece by piece: its texts as they are where the
// reply is a text, and otherwise the items of its pages as one JSON array.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  takesBody,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
} from '#shared/api/endpoint.ts';
import { mergeOf } from '#shared/api/index.ts';
import type { Merge } from '#shared/api/patches.ts';
import { byServer, type By, type Context } from '../context/context.ts';
import { AppError, fail } from '../lib/errors.ts';
import type { Page } from '../lib/page.ts';
import type { Access, Actor, Gate } from './actor.ts';
import { admit, type Admitted } from './admit.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { type Change, merged, replacement } from './changes.ts';
import { send } from './send.ts';
import { checkMirroredIds, readForms, validate } from './validate.ts';

export interface Input<E extends Endpoint> {
  /** The context for use cases, with the actor of the request. */
  ctx: Context;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The actor of the request; throws on a public endpoint, which has none. */
  actor: Actor;
  /** The access to the project; throws outside of projects. */
  access: Access;
  /** The remote runner; throws on endpoints that are not for runners. */
  runner: RunnerActor;
  /** Of a change: the revision in If-Match, on which the caller's copy is based; null without the header. */
  ifMatch: number | null;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

// The value of a reply, before its schema adds the fields of other forms.
type Result<E extends Endpoint> = z.input<E['reply']> | AsyncIterable<unknown>;
type Handler<E extends Endpoint> = (input: Input<E>) => Promise<Result<E>> | Result<E>;

/** Refuses a request before its body is read, if it is too large to be read for nothing. */
type BeforeBody<E extends Endpoint> = (asked: {
  ctx: Context;
  params: ParamsOf<E>;
  runner: RunnerActor;
}) => Promise<void>;

/** The interface with which features bind handlers to their endpoints. */
export interface Http {
  serve: <E extends Endpoint>(
    endpoint: E,
    handler: Handler<E>,
    beforeLargeBody?: BeforeBody<E>,
  ) => void;
}

/** A body of so many bytes is read in a millisecond. */
const smallBody = 64 * 1024;

const isLarge = ({ 'content-length': length }: FastifyRequest['headers']): boolean =>
  !(Number(length) <= smallBody);

export function createHttp(app: FastifyInstance, ctx: Context, gate: Gate): Http {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  const handlers = new Map<Endpoint, Handler<Endpoint>>();
  const checks = new Map<Endpoint, BeforeBody<Endpoint>>();
  const mount = (
    at: FastifyInstance,
    endpoint: Endpoint,
    answer: RequestHandler,
  ): FastifyInstance =>
    at.route({
      ...routeOf(endpoint),
      // The body is read only after the sender is authenticated and authorised.
      preParsing: async (request) => {
        const from = await admit(endpoint, gate, request);
        admitted.set(request, from);
        const check = checks.get(endpoint);
        if (!check || !isLarge(request.headers)) return;
        await check({ ctx, params: from.params, runner: known(from.runner, endpoint) });
      },
      handler: async (request, reply) => {
        const from = admitted.get(request);
        if (!from)
          throw new Error(
            `Request to ${endpoint.path} was not authenticated (preParsing hook did not run)`,
          );
        return send(endpoint, reply, await answer({ ctx, from, request, reply }));
      },
    });
  return {
    serve(endpoint, given, beforeLargeBody) {
      const handler = given as unknown as Handler<Endpoint>;
      handlers.set(endpoint, handler);
      if (beforeLargeBody) checks.set(endpoint, beforeLargeBody as BeforeBody<Endpoint>);
      const merge = mergeOf(endpoint);
      if (merge) {
        const reads = (): Handler<Endpoint> => known(handlers.get(merge.reader), endpoint);
        mount(app, merge.put, (asked) => change(merge, 'PUT', { asked, handler, reads }));
        mount(app, merge.patch, (asked) => change(merge, 'PATCH', { asked, handler, reads }));
        return;
      }
      const answer: RequestHandler = (asked) => handler(readInput(endpoint, asked));
      if (!endpoint.webhook) {
        mount(app, endpoint, answer);
        return;
      }
      // A parser applies to the routes that are registered in the same scope.
      app.register(async (own) => {
        takeBytes(own);
        mount(own, endpoint, answer);
      });
    },
  };
}

/** A request whose sender has been admitted. */
interface RequestInput {
  ctx: Context;
  from: Admitted;
  request: FastifyRequest;
  reply: FastifyReply;
}
type RequestHandler = (asked: RequestInput) => unknown;

const routeOf = (endpoint: Endpoint) => ({
  method: endpoint.method,
  url: endpoint.path,
  // A webhook has no HEAD, because a request for headers only must not launch a task.
  ...(endpoint.webhook && { exposeHeadRoute: false }),
  ...(endpoint.bodyLimit !== null && { bodyLimit: endpoint.bodyLimit }),
  config: {
    permission: endpoint.permission,
    fromAnywhere: endpoint.webhook,
    anyHost: endpoint.anyHost,
    anyType: endpoint.anyType,
    ...(endpoint.mostValues !== null && { mostValues: endpoint.mostValues }),
    ...(endpoint.rateLimit && {
      rateLimit: {
        max: endpoint.rateLimit.max,
        timeWindow: endpoint.rateLimit.windowSeconds * 1000,
        perServer: endpoint.rateLimit.perServer ?? false,
      },
    }),
  },
});

interface ReplaceOptions {
  asked: RequestInput;
  handler: Handler<Endpoint>;
  /** The handler of the GET at the same path. */
  reads: () => Handler<Endpoint>;
}

// Others may change the resource several times between the read and the write.
const MAX_TRIES = 10;

/**
 * Handles a PUT or PATCH. The values that completed the body must still be stored when it is
 * written.
 */
async function change(
  merge: Merge,
  method: 'PUT' | 'PATCH',
  { asked, handler, reads }: ReplaceOptions,
): Promise<unknown> {
  const { put, reader } = merge;
  const { from, request } = asked;
  const nothing = { query: validate(reader.query, {}), body: {} };
  const read = async () => reads()(inputOf(reader, asked, { ...nothing, ifMatch: null }));
  const complete = method === 'PUT' ? replacement : merged;
  const ifMatch = put.versioned ? readIfMatch(request) : null;
  if (request.body == null) throw fail('request.body_missing');
  for (let tries = 1; ; tries += 1) {
    const { revision, ...given } = await complete(merge, request.body, read);
    checkMirroredIds(request.body, from.params);
    const input = inputOf(put, asked, { query: {}, ...given, ifMatch: ifMatch ?? revision });
    try {
      return await handler(input);
    } catch (error) {
      const isLate = error instanceof AppError && error.code === 'request.stale';
      if (!isLate || ifMatch !== null || revision === null || tries === MAX_TRIES) throw error;
    }
  }
}

/** Reads bodies of every content type as bytes. */
function takeBytes(own: FastifyInstance): void {
  own.removeAllContentTypeParsers();
  own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/** Returns one page of a list and sets the header `Link` to the address of the next page. */
export function shown<Item>(
  { request, reply }: Pick<Input<Endpoint>, 'request' | 'reply'>,
  { items, next }: Page<Item>,
): Item[] {
  // What clients of other versions read instead of the link.
  reply.header('X-Has-Next', String(next !== null));
  if (next !== null) {
    const url = new URL(request.url, 'http://localhost');
    url.searchParams.set('before', String(next));
    reply.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  return items;
}

/** The address under which others reach this server. */
export const baseOf = (
  { config }: Pick<Context, 'config'>,
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
): string => config.publicUrl ?? `${protocol}://${host}`;

function readInput<E extends Endpoint>(endpoint: E, asked: RequestInput): Input<E> {
  const { from, request } = asked;
  const query = validate(endpoint.query, request.query);
  const body = readBody(endpoint, request.body);
  checkMirroredIds(request.body, from.params);
  return inputOf(endpoint, asked, { query, body, ifMatch: null });
}

function known<T>(value: T | null | undefined, { path }: Endpoint): T {
  if (value == null) throw new Error(`${path} asks for what it does not require`);
  return value;
}

interface ReadInput extends Omit<Change, 'revision'> {
  query: unknown;
  ifMatch: number | null;
}

function inputOf<E extends Endpoint>(
  endpoint: E,
  { ctx, from, request, reply }: RequestInput,
  { query, body, ifMatch }: ReadInput,
): Input<E> {
  const { actor, runner, params, access } = from;
  return {
    ctx: { ...ctx, by: runner ? byRunner(runner, request) : byOf(actor, { ctx, request, reply }) },
    params: params as ParamsOf<E>,
    query: query as QueryOf<E>,
    body: body as BodyOf<E>,
    get actor() {
      return known(actor, endpoint);
    },
    get access() {
      return known(access, endpoint);
    },
    get runner() {
      return known(runner, endpoint);
    },
    ifMatch,
    get gone() {
      const left = new AbortController();
      // Every reply ends with this event. Without a reason, Node would make an error with its stack.
      reply.raw.once('close', () => left.abort('gone'));
      return left.signal;
    },
    request,
    reply,
  };
}

/** Refuses a missing body, or `null`, where an endpoint needs one. */
function readBody(endpoint: Endpoint, given: unknown): unknown {
  const body = validate(endpoint.body, readForms(endpoint, given ?? {}).body);
  const isAsked = endpoint.method !== 'GET' && takesBody(endpoint) && !endpoint.optionalBody;
  // Missing fields have been reported already.
  if (isAsked && given == null) throw fail('request.body_missing');
  return body;
}

function byOf(actor: Actor | null, { ctx, request, reply }: Omit<RequestInput, 'from'>): By {
  const { userId = null, username = '', token = null } = actor ?? {};
  const via = token ? 'token' : 'session';
  const by: By = { userId, username, via, viaId: token?.id ?? null, ip: request.ip };
  if (ctx.telemetry.trace === null) return by;
  const begun = new Date(ctx.clock.now().getTime() - reply.elapsedTime);
  const { traceparent } = request.headers;
  return { ...by, request: { begun, traceparent: traceparent?.toString() } };
}

/** The runner beside the server has no client address. */
const byRunner = ({ isOwn }: RunnerActor, { ip }: FastifyRequest): By => ({
  ...byServer,
  ip: isOwn ? '' : ip,
});

function readIfMatch(request: FastifyRequest): number | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  const revision = /^(?:W\/)?"r(\d{1,9})"$/.exec(header.trim())?.[1];
  if (revision === undefined) throw fail('request.stale');
  return Number(revision);
}
