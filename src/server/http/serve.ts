// Binds one endpoint to one handler. In this order, so that nobody learns more than they may:
//   the sender (401) → params (400) → the project exists for them (404) → permission (403)
//   → the body is read → query and body (400) → handler → the reply is cut to its schema.
// An async iterable as the result of a handler is sent piece by piece: as a JSON array, or, where
// the reply is a text, as it is.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  takesBody,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
} from '#shared/api/endpoint.ts';
import type { Contradiction } from '#shared/compatible/forms.ts';
import { isProjectPermission } from '#shared/permissions.ts';
import { byServer, type By, type Context } from '../context/context.ts';
import { fail } from '../lib/errors.ts';
import type { Page } from '../lib/page.ts';
import {
  checkProject,
  checkRequirement,
  checkToken,
  type Access,
  type Actor,
  type Gate,
} from './actor.ts';
import type { RunnerActor } from '../context/runner-actor.ts';
import { checkMirroredIds, readForms, validate } from './validate.ts';

export interface Input<E extends Endpoint> {
  /** The context for use cases, with the actor of the request. */
  ctx: Context;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The contradictions between the two forms of the body, if it has both. */
  contradictions: Contradiction[];
  /** The actor of the request; throws on a public endpoint, which has none. */
  actor: Actor;
  /** The access to the project; throws outside of projects. */
  access: Access;
  /** The remote runner; throws on endpoints that are not for runners. */
  runner: RunnerActor;
  /** The revision in If-Match, on which the caller's copy is based; null without the header. */
  ifMatch: number | null;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

// The value of a reply, before its schema adds the fields of other forms.
type Result<E extends Endpoint> = z.input<E['reply']> | AsyncIterable<unknown>;
type Handler<E extends Endpoint> = (input: Input<E>) => Promise<Result<E>> | Result<E>;

/** The interface with which features bind handlers to their endpoints. */
export interface Http {
  serve: <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;
}

export function createHttp(app: FastifyInstance, ctx: Context, gate: Gate): Http {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  return {
    serve(endpoint, handler) {
      const mount = (at: FastifyInstance): FastifyInstance =>
        at.route({
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
            ...(endpoint.rateLimit && {
              rateLimit: {
                max: endpoint.rateLimit.max,
                timeWindow: endpoint.rateLimit.windowSeconds * 1000,
                perServer: endpoint.rateLimit.perServer ?? false,
              },
            }),
          },
          // The body is read only after the sender is authenticated and authorised.
          preParsing: async (request) => {
            admitted.set(request, await admit(endpoint, gate, request));
          },
          handler: async (request, reply) => {
            const from = admitted.get(request);
            if (!from) throw new Error(`Nobody has looked who asks for ${endpoint.path}`);
            const input = readInput(endpoint, { ctx, from }, request, reply);
            return send(endpoint, reply, await handler(input));
          },
        });
      if (!endpoint.webhook) {
        mount(app);
        return;
      }
      // A parser applies to the routes that are registered in the same scope.
      app.register(async (own) => {
        takeBytes(own);
        mount(own);
      });
    },
  };
}

/** Reads bodies of every content type as bytes. */
function takeBytes(own: FastifyInstance): void {
  own.removeAllContentTypeParsers();
  own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/** Answers one page of a list and sets the header `Link` to the address of the next page. */
export function shown<Item>(
  { request, reply }: Pick<Input<Endpoint>, 'request' | 'reply'>,
  { items, next }: Page<Item>,
): Item[] {
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

/** Authenticates the sender and checks their permission. */
interface Admitted extends Caller {
  params: Record<string, unknown>;
  access: Access | null;
}

async function admit(endpoint: Endpoint, gate: Gate, request: FastifyRequest): Promise<Admitted> {
  const { permission } = endpoint;
  const { actor, runner } = await whoAsks(endpoint, gate, request);
  const params = validate(endpoint.params, request.params) as Record<string, unknown>;
  let access: Access | null = null;
  if (actor && (permission === 'member' || isProjectPermission(permission))) {
    access = await checkProject(gate, actor, permission, Number(params['project_id']));
  } else if (actor) {
    checkRequirement(permission, actor);
  }
  if (actor) checkToken(endpoint, actor);
  return { actor, runner, params, access };
}

function readInput<E extends Endpoint>(
  endpoint: E,
  { ctx, from }: { ctx: Context; from: Admitted },
  request: FastifyRequest,
  reply: FastifyReply,
): Input<E> {
  const { actor, runner, params, access } = from;
  const query = validate(endpoint.query, request.query);
  const { body, contradictions } = readBody(endpoint, request.body);
  checkMirroredIds(request.body, params);
  const known = <T>(value: T | null): T => {
    if (value === null) throw new Error(`${endpoint.path} asks for what it does not require`);
    return value;
  };
  return {
    ctx: { ...ctx, by: runner ? byRunner(runner, request) : byOf(actor, request) },
    params: params as ParamsOf<E>,
    query: query as QueryOf<E>,
    body: body as BodyOf<E>,
    contradictions,
    get actor() {
      return known(actor);
    },
    get access() {
      return known(access);
    },
    get runner() {
      return known(runner);
    },
    ifMatch: endpoint.versioned ? readIfMatch(request) : null,
    get gone() {
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      return left.signal;
    },
    request,
    reply,
  };
}

interface ReadBody {
  body: unknown;
  contradictions: Contradiction[];
}

/** Refuses a missing body, or `null`, where an endpoint needs one. */
function readBody(endpoint: Endpoint, given: unknown): ReadBody {
  const { body: inOurForm, contradictions } = readForms(endpoint, given ?? {});
  const body = validate(endpoint.body, inOurForm);
  const isAsked = endpoint.method !== 'GET' && takesBody(endpoint) && !endpoint.optionalBody;
  // Missing fields have been reported already.
  if (isAsked && given == null) throw fail('request.body_missing');
  return { body, contradictions };
}

interface Caller {
  actor: Actor | null;
  runner: RunnerActor | null;
}

async function whoAsks(
  { permission, duringSetup }: Endpoint,
  gate: Gate,
  request: FastifyRequest,
): Promise<Caller> {
  if (permission === 'public') return { actor: null, runner: null };
  if (permission === 'runner') {
    const runner = await gate.authenticateRunner(request);
    if (!runner) throw fail('runner.credential');
    return { actor: null, runner };
  }
  const actor = await gate.authenticate(request, duringSetup);
  if (!actor) throw fail('session.required');
  request.account = actor.username;
  return { actor, runner: null };
}

function byOf(actor: Actor | null, { ip }: FastifyRequest): By {
  const { userId = null, username = '', token = null } = actor ?? {};
  return { userId, username, via: token ? 'token' : 'session', viaId: token?.id ?? null, ip };
}

/** The runner beside the server comes from no address. */
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

function send(endpoint: Endpoint, reply: FastifyReply, result: unknown): unknown {
  if (endpoint.status === 204 || result === null) return reply.code(204).send();
  reply.code(endpoint.status);
  if (isAsyncIterable(result)) {
    const isText = endpoint.reply instanceof z.ZodString;
    reply.type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
    return reply.send(Readable.from(isText ? result : jsonArray(endpoint.reply, result)));
  }
  const { revision } = result as { revision?: number };
  if (endpoint.versioned && revision !== undefined) reply.header('ETag', `"r${revision}"`);
  const cut: unknown = endpoint.reply.parse(result);
  if (endpoint.status === 302) return reply.redirect(String(cut), 302);
  if (typeof cut === 'string') return reply.type('text/plain; charset=utf-8').send(cut);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(cut));
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* jsonArray(
  schema: z.ZodType,
  items: AsyncIterable<unknown>,
): AsyncGenerator<string> {
  const { element } = schema as z.ZodArray;
  let piece = '[';
  let separator = '';
  for await (const item of items) {
    piece += separator + JSON.stringify((element as z.ZodType).parse(item));
    separator = ',';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}

// The size of the pieces in which a long answer is sent, in characters.
const pieceLength = 64 * 1024;
