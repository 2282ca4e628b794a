import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import files from '@fastify/static';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { isConsoleRoute } from '#shared/console-routes.ts';
import type { Requirement } from '#shared/permissions.ts';
import type { Config } from '../config/config.ts';
import { familyOf, parseNetworks } from '../lib/address-rule.ts';
import { AppError, fail } from '../lib/errors.ts';
import type { Log } from '../../node/log/log.ts';
import { logAccess } from './access-log.ts';
import { compressResponse } from './compress.ts';
import { type KnownRoutes, pathOf, watchRoutes } from './known-routes.ts';
import {
  createOwnHosts,
  isMisled,
  unknownHost,
  isCrossSite,
  isReadAsJson,
} from './request-origin.ts';
import { answerClientError, bodyLimit, replyError, requestSeconds } from './reply-error.ts';
import { readJson } from './read-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: Requirement;
    /** A webhook: called by other programs without a session, from any origin. */
    fromAnywhere?: boolean;
    /** Whether any Host header is accepted. */
    anyHost?: boolean;
    /** Absent: the default limit. */
    mostValues?: number;
    /** Whether the content type is ignored, also from browsers. */
    anyType?: boolean;
    /** Whether the access log shows it at the level debug only. */
    isProbe?: boolean;
  }
}

/** In bytes: 250 characters of up to twelve. */
const MAX_PARAM_LENGTH = 3000;

export async function createServer(
  config: Config,
  log: Log,
  webDir: string | null,
  /** Null: rate limits are counted in memory. */
  limits: FastifyRateLimitStoreCtor | null = null,
): Promise<FastifyInstance> {
  // Keeps our log type out of the type of `app`.
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: requestIds(config.trustedProxies),
    requestIdHeader: false,
    bodyLimit,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    requestTimeout: requestSeconds * 1000,
    clientErrorHandler: answerClientError,
    keepAliveTimeout: 30_000,
    forceCloseConnections: true,
    // The hook below refuses with a body of our form.
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // No hooks run for these errors.
      secure(reply, config);
      void replyError(error, request, reply);
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
  });
  app.setErrorHandler(replyError);
  app.decorateRequest('account', '');
  if (config.accessLog) logAccess(app, log);
  const { routes, closeConsole } = watchRoutes(app);
  acceptJson(app);
  refuseEarly(app, config, routes);
  app.addHook('onSend', async (_request, reply) => secure(reply, config));
  app.addHook('onSend', compressResponse);
  await app.register(cookie);
  await app.register(rateLimit, {
    global: false,
    ...(limits && { store: limits }),
    errorResponseBuilder: (_request, { ttl }) =>
      fail('request.rate_limited', { seconds: Math.ceil(ttl / 1000) }),
  });
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    replyError(notFound(routes, request, reply), request, reply);
  if (webDir) await serveConsole(app, webDir, answerNotFound);
  closeConsole();
  app.setNotFoundHandler(answerNotFound);
  return app;
}

// Safe in a header, a log line and a shell.
const usableId = /^[\w.:=+/-]{1,128}$/;

/** Request ids for responses and log lines; trusted proxies may set them. */
function requestIds(trustedProxies: string[]): (request: IncomingMessage) => string {
  const { networks } = parseNetworks(trustedProxies);
  const isTrusted = (address = ''): boolean =>
    isIP(address) > 0 && networks.check(address, familyOf(address));
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const isUsable = typeof given === 'string' && usableId.test(given);
    return isUsable && isTrusted(socket.remoteAddress) ? given : randomUUID();
  };
}

/** Replaces two large packages of Fastify; serve.ts validates against the contract instead. */
function noSchema(): never {
  throw new Error('A route has a schema of Fastify. Name its shapes in the contract instead.');
}

/** Checks that need neither authentication nor a body. */
function refuseEarly(app: FastifyInstance, config: Config, routes: KnownRoutes): void {
  const isOwnHost = createOwnHosts(config);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (isClosing) throw fail('request.unavailable');
    if (isMisled(request, isOwnHost)) throw unknownHost(request.host);
    if (request.is404 || routes.isMistaken(request)) throw notFound(routes, request, reply);
    if (request.routeOptions.config.fromAnywhere) return;
    if (isCrossSite(request, config.publicUrl)) throw fail('request.cross_site');
    const isJson = request.routeOptions.config.anyType || isReadAsJson(request);
    if (isJson) request.raw.headers['content-type'] = 'application/json';
  });
}

function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const types = ['application/json', 'application/merge-patch+json'];
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, text, done) => {
    if (text === '') {
      done(null, undefined);
      return;
    }
    try {
      done(null, readJson(String(text), request.routeOptions.config.mostValues));
    } catch (error) {
      const isRefusal = error instanceof AppError;
      done(
        isRefusal ? error : fail('request.malformed_json', { reason: (error as Error).message }),
      );
    }
  });
}

/** Disabled for injected scripts too; the console uses none of them. */
const noDevices = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

function secure(reply: FastifyReply, config: Config): void {
  reply.header('X-Request-Id', reply.request.id);
  reply.header('X-Content-Type-Options', 'nosniff');
  reply.header('Referrer-Policy', 'same-origin');
  if (!reply.hasHeader('Content-Security-Policy')) {
    reply.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  }
  const { isProbe } = reply.request.routeOptions?.config ?? {};
  if (isProbe || reply.request.url.startsWith('/api')) reply.header('Cache-Control', 'no-store');
  // Responses of the API contain nothing without a session when another site embeds them.
  else reply.header('Cross-Origin-Resource-Policy', 'same-origin');
  if (config.publicUrl?.startsWith('https:')) {
    reply.header('Strict-Transport-Security', 'max-age=31536000');
  }
}

type FileHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

async function serveConsole(
  app: FastifyInstance,
  webDir: string,
  answerNotFound: FileHandler,
): Promise<void> {
  const page = await readFile(join(webDir, 'index.html'), 'utf8');
  const apiPage = await readFile(join(webDir, 'api-docs.html'), 'utf8');
  await app.register(files, {
    root: join(webDir, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  });
  const sendPage = (reply: FastifyReply, html: string): FastifyReply => {
    const nonce = randomBytes(16).toString('base64');
    return (
      reply
        .header('Content-Security-Policy', consolePolicy(nonce))
        // Only pages open windows.
        .header('Cross-Origin-Opener-Policy', 'same-origin')
        .header('Permissions-Policy', noDevices)
        .header('Cache-Control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(html.replaceAll('__CSP_NONCE__', nonce))
    );
  };
  const limit = { max: 600, timeWindow: 60_000, perServer: true };
  const isPublic = { config: { permission: 'public', rateLimit: limit } } as const;
  app.get('/api/docs', isPublic, (_request, reply) => sendPage(reply, apiPage));
  app.get('/*', (request, reply) => {
    const path = pathOf(request.url);
    const { accept } = request.headers;
    if (isConsoleRoute(path) && acceptsPage(accept)) return sendPage(reply, page);
    if (isOfApi(path) || !asksForPage(accept)) return answerNotFound(request, reply);
    // The console renders the localized "not found" page.
    return sendPage(reply.code(404), page);
  });
}

const isOfApi = (path: string): boolean => /^\/api(\/|$)/.test(path);

const asksForPage = (accept = ''): boolean => /\btext\/html\b/i.test(accept);

const acceptsPage = (accept = '*/*'): boolean =>
  asksForPage(accept) || /(?:^|[\s,])(?:\*|text)\/\*/.test(accept);

function consolePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** For a wrong method, sets the header Allow. */
function notFound(routes: KnownRoutes, request: FastifyRequest, reply: FastifyReply): AppError {
  const { method } = request;
  const path = pathOf(request.url).slice(0, 200);
  const others = routes.methodsAt(path);
  if (others.length === 0) return fail('request.not_found', { method, path });
  reply.header('Allow', others.join(', '));
  return fail('request.method_not_allowed', { method, path });
}
