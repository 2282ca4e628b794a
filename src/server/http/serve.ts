// Binds an endpoint to its handler. The order of the checks reveals nothing that the caller may not know:
// authentication (401) → params (400) → project (404) → permission (403) → `beforeLargeBody` → body is read
// → query and body (400) → handler → reply schema. An async iterable is streamed: strings as they are for a
// text reply, otherwise batches as one JSON array.

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
import type { Actor } from '../context/actor.ts';
import type { Access, Gate } from './actor.ts';
import { admit, type Admitted } from './admit.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { type Change, merged, readIfMatch, replacement } from './changes.ts';
import { namingGivers } from './givers.ts';
import { send } from './send.ts';
import { mayUseAll, requireUses as checkUses, type Used } from './uses.ts';
import { scoped } from '../db/rights/scope.ts';

// Routes whose right depends on the body check it themselves.
export { requireRight, rightsOnEach } from './actor.ts';
export { requireOnStarted } from './object-access.ts';
import { checkMirroredIds, readForms, validate } from './validate.ts';

type ProjectIdOf<E extends Endpoint> =
  ParamsOf<E> extends { project_id: infer Id } ? Id : undefined;

export interface Input<E extends Endpoint> {
  ctx: Context;
  params: ParamsOf<E>;
  projectId: ProjectIdOf<E>;
  /** The value in the address beside the id of the project. */
  id: ParamsOf<E>[Exclude<keyof ParamsOf<E>, 'project_id'>];
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** Throws on public endpoints. */
  actor: Actor;
  /** Throws outside of projects. */
  access: Access;
  /** Throws when values name something that the caller may not use. */
  requireUses: (used: Used) => Promise<void>;
  /** Throws on endpoints that are not for runners. */
  runner: RunnerActor;
  /** The revision in If-Match; null without the header. */
  ifMatch: number | null;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

// Before the reply schema adds the fields of other forms.
type Result<E extends Endpoint> = z.input<E['reply']> | AsyncIterable<unknown>;
type Handler<E extends Endpoint> = (input: Input<E>) => Promise<Result<E>> | Result<E>;

/** Called before a large body is read, to refuse it early. */
type BeforeBody<E extends Endpoint> = (asked: {
  ctx: Context;
  params: ParamsOf<E>;
  runner: RunnerActor;
}) => Promise<void>;

export interface Http {
  serve: <E extends Endpoint>(
    endpoint: E,
    handler: Handler<E>,
    beforeLargeBody?: BeforeBody<E>,
  ) => void;
}

/** Read in a millisecond. */
const SMALL_BODY_BYTES = 64 * 1024;

const isLarge = ({ 'content-length': length }: FastifyRequest['headers']): boolean =>
  !(Number(length) <= SMALL_BODY_BYTES);

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
      preParsing: async (request) => {
        const from = await namingGivers(gate, request, () => admit(endpoint, gate, request));
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
        const given = await namingGivers(gate, request, async () =>
          answer({ ctx, gate, from, request, reply }),
        );
        return send(endpoint, reply, given);
      },
    });
  return {
    serve(endpoint, boundHandler, beforeLargeBody) {
      const handler = boundHandler as unknown as Handler<Endpoint>;
      handlers.set(endpoint, handler);
      if (beforeLargeBody) checks.set(endpoint, beforeLargeBody as BeforeBody<Endpoint>);
      const merge = mergeOf(endpoint);
      if (merge) {
        const reads = (): Handler<Endpoint> => known(handlers.get(merge.reader), endpoint);
        mount(app, merge.put, (asked) => change(merge, 'PUT', { asked, handler, reads }));
        mount(app, merge.patch, (asked) => change(merge, 'PATCH', { asked, handler, reads }));
        return;
      }
      const answer: RequestHandler = async (asked) => {
        const input = readInput(endpoint, asked);
        const { body: schema, permission: ofEndpoint } = endpoint;
        if (asked.from.access) await input.requireUses({ schema, value: input.body, ofEndpoint });
        return handler(input);
      };
      if (!endpoint.webhook) {
        mount(app, endpoint, answer);
        return;
      }
      // A content-type parser applies to the routes of the same scope.
      app.register(async (own) => {
        takeBytes(own);
        mount(own, endpoint, answer);
      });
    },
  };
}

interface RequestInput {
  ctx: Context;
  gate: Gate;
  from: Admitted;
  request: FastifyRequest;
  reply: FastifyReply;
}
type RequestHandler = (asked: RequestInput) => unknown;

const routeOf = (endpoint: Endpoint) => ({
  method: endpoint.method,
  url: endpoint.path,
  // HEAD must not launch a task.
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
  reads: () => Handler<Endpoint>;
}

// Concurrent changes may occur between read and write.
const MAX_TRIES = 10;

/** Optimistic locking: the stored values that completed the body must not have changed. */
async function change(
  merge: Merge,
  method: 'PUT' | 'PATCH',
  { asked, handler, reads }: ReplaceOptions,
): Promise<unknown> {
  const { put, reader } = merge;
  const { from, request } = asked;
  const nothing = { query: validate(reader.query, {}), body: {} };
  // A change keeps what is stored, whether or not the caller sees it.
  const whole = { ...asked, from: { ...from, scope: null } };
  const read = async () => reads()(inputOf(reader, whole, { ...nothing, ifMatch: null }));
  const complete = method === 'PUT' ? replacement : merged;
  const ifMatch = put.versioned ? readIfMatch(request) : null;
  if (request.body == null) throw fail('request.body_missing');
  for (let tries = 1; ; tries += 1) {
    const { revision, ...given } = await complete(merge, request.body, read);
    checkMirroredIds(request.body, from.params);
    const input = inputOf(put, asked, { query: {}, ...given, ifMatch: ifMatch ?? revision });
    if (from.access) await requireUsesOfChange(input, put, read);
    try {
      return await handler(input);
    } catch (error) {
      const isLate = error instanceof AppError && error.code === 'request.stale';
      if (!isLate || ifMatch !== null || revision === null || tries === MAX_TRIES) throw error;
    }
  }
}

/** Whoever changes what a resource does with a key of it uses the key too, though it may be there already. */
async function requireUsesOfChange(
  { requireUses, body, access }: Input<Endpoint>,
  { body: schema, permission: ofEndpoint }: Endpoint,
  read: () => Promise<unknown>,
): Promise<void> {
  if (mayUseAll(access, schema)) return;
  const kept = await read();
  await requireUses({ schema, value: kept, ofEndpoint: null });
  await requireUses({ schema, value: body, ofEndpoint, kept });
}

function takeBytes(own: FastifyInstance): void {
  own.removeAllContentTypeParsers();
  own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

export function shown<Item>(
  { request, reply }: Pick<Input<Endpoint>, 'request' | 'reply'>,
  { items, next }: Page<Item>,
): Item[] {
  // Read by clients of other versions.
  reply.header('X-Has-Next', String(next !== null));
  if (next !== null) {
    const url = new URL(request.url, 'http://localhost');
    url.searchParams.set('before', String(next));
    reply.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  return items;
}

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
  { ctx, gate, from, request, reply }: RequestInput,
  { query, body, ifMatch }: ReadInput,
): Input<E> {
  const { actor, runner, params, access, scope } = from;
  const { project_id: projectId, ...others } = params as Record<string, unknown>;
  // What changes something is checked by its ids, and needs all that belongs to it.
  const isScoped = endpoint.method === 'GET' && !endpoint.readsAll;
  const db = scope && isScoped ? scoped(ctx.db, scope) : ctx.db;
  const by = runner ? byRunner(runner, request) : byOf(from, { ctx, request, reply });
  return {
    ctx: { ...ctx, db, by },
    params: params as ParamsOf<E>,
    projectId: projectId as ProjectIdOf<E>,
    id: Object.values(others)[0] as Input<E>['id'],
    query: query as QueryOf<E>,
    body: body as BodyOf<E>,
    get actor() {
      return known(actor, endpoint);
    },
    get access() {
      return known(access, endpoint);
    },
    requireUses: (used) => {
      const { governing } = gate;
      const user = { access: known(access, endpoint), projectId: Number(projectId), governing };
      // The results of a bulk request have refusals, too.
      return namingGivers(gate, request, () => checkUses(user, used));
    },
    get runner() {
      return known(runner, endpoint);
    },
    ifMatch,
    get gone() {
      const left = new AbortController();
      // Every reply ends with this event. A reason avoids the cost of an error with its stack.
      reply.raw.once('close', () => left.abort('gone'));
      return left.signal;
    },
    request,
    reply,
  };
}

/** Refuses a missing or null body where one is required. */
function readBody(endpoint: Endpoint, given: unknown): unknown {
  const body = validate(endpoint.body, readForms(endpoint, given ?? {}).body);
  const isAsked = endpoint.method !== 'GET' && takesBody(endpoint) && !endpoint.optionalBody;
  // Missing fields were reported already.
  if (isAsked && given == null) throw fail('request.body_missing');
  return body;
}

function byOf(
  { actor, scope, access }: Pick<Admitted, 'actor' | 'scope' | 'access'>,
  { ctx, request, reply }: Omit<RequestInput, 'from' | 'gate'>,
): By {
  const { userId = null, username = '', token = null } = actor ?? {};
  const via = token ? 'token' : 'session';
  const { objects = null } = access ?? {};
  const viaId = token?.id ?? null;
  const by: By = { userId, username, via, viaId, ip: request.ip, scope, objects };
  if (ctx.telemetry.trace === null) return by;
  const begun = new Date(ctx.clock.now().getTime() - reply.elapsedTime);
  const { traceparent } = request.headers;
  return { ...by, request: { begun, traceparent: traceparent?.toString() } };
}

const byRunner = ({ isOwn }: RunnerActor, { ip }: FastifyRequest): By => ({
  ...byServer,
  ip: isOwn ? '' : ip,
});
