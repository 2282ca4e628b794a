// The endpoint of Prometheus: /metrics of the console's port, with a token, or of its own port. Sessions
// and API tokens do not grant access.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { safeEqual } from '../lib/digest.ts';
import type { Telemetry } from '../lib/telemetry/telemetry.ts';
import { fail } from '../lib/errors.ts';
import { bearer } from './actor.ts';

export interface Scrape {
  text: string;
  contentType: string;
}

export interface MetricsSource {
  scrape: () => Promise<Scrape>;
  /** Null: no authentication. */
  token: string | null;
}

const path = '/metrics';
const config = { permission: 'public', anyHost: true, isProbe: true } as const;

export function mountMetrics(app: FastifyInstance, source: MetricsSource): void {
  app.get(path, { config }, async (request, reply) => {
    if (!isAllowed(source, request.raw)) {
      reply.header('WWW-Authenticate', 'Bearer');
      throw fail('metrics.token_required');
    }
    const { text, contentType } = await source.scrape();
    return reply.header('Cache-Control', 'no-store').type(contentType).send(text);
  });
}

function isAllowed({ token }: MetricsSource, { headers }: IncomingMessage): boolean {
  if (token === null) return true;
  return safeEqual(bearer(headers.authorization ?? ''), token);
}

const MAX_REQUEST_MS = 10_000;

export function createMetricsServer(source: MetricsSource): Server {
  return createServer({ requestTimeout: MAX_REQUEST_MS }, (request, response) => {
    answer(source, request, response).catch(() => send(response, 500, 'The metrics failed.\n'));
  });
}

async function answer(
  source: MetricsSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || request.url?.split('?')[0] !== path) {
    send(response, 404, `Only GET ${path} is answered here.\n`);
    return;
  }
  if (!isAllowed(source, request)) {
    response.setHeader('WWW-Authenticate', 'Bearer');
    send(response, 401, `${fail('metrics.token_required').message}\n`);
    return;
  }
  const { text, contentType } = await source.scrape();
  send(response, 200, text, contentType);
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': contentType, 'X-Content-Type-Options': 'nosniff' });
  response.end(text);
}

export function addressOf(server: Server): string | null {
  const found = server.address() as AddressInfo | null;
  if (!found) return null;
  const { address, port } = found;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}${path}`;
}

/** The route of requests that belong to none. */
const noRoute = 'none';

/**
 * Measures how long requests take, by the pattern of their route: never by the path itself, which may
 * hold secrets and of which there is no end.
 */
export function measureRequests(app: FastifyInstance, telemetry: Telemetry): void {
  app.addHook('onResponse', async (request, reply) => {
    // The runner beside the server sends requests all the time.
    if (request.socket.remoteAddress === undefined) return;
    const labels = {
      route: request.routeOptions.url ?? noRoute,
      method: request.method,
      status: String(reply.statusCode),
    };
    const seconds = reply.elapsedTime / 1000;
    telemetry.observe('signalbox_http_request_duration_seconds', labels, seconds);
  });
}
