// The access log: one line for each request, if enabled.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { heard, type Log } from '../../node/log/log.ts';
import type { ActiveWork } from '../../node/log/event-loop-watch.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The login of the sender; empty when the sender is not authenticated. */
    account: string;
  }
}

export function logAccess(app: FastifyInstance, log: Log): void {
  const own = heard(log);
  app.addHook('onResponse', async (request, reply) => {
    // The runner beside the server polls continuously.
    if (request.socket.remoteAddress === undefined) return;
    const facts = {
      request_id: request.id,
      ip: request.ip,
      account: request.account,
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (request.routeOptions.config.isProbe) log.debug(facts, 'request');
    else own.info(facts, 'request');
  });
}

const MAX_PATH_SHOWN_LENGTH = 500;

/** The path without the query, which may hold secrets, and without the secret part of an integration's address. */
function pathOf({ routeOptions, url }: FastifyRequest): string {
  const { config, url: route = '' } = routeOptions;
  const path = config.fromAnywhere ? route : (url.split('?')[0] ?? '');
  return path.slice(0, MAX_PATH_SHOWN_LENGTH);
}

// Lists open requests for the report of an event-loop stall.

/** The returned function lists open requests, and those that ended since its last call. */
export function openRequests(app: FastifyInstance): () => ActiveWork['requests'] {
  const open = new Map<FastifyRequest, number>();
  const ended = new Map<FastifyRequest, number>();
  app.addHook('onRequest', async (request, reply) => {
    open.set(request, performance.now());
    // The request itself may not close, if its body was not read.
    reply.raw.once('close', () => {
      ended.set(request, open.get(request) ?? 0);
      open.delete(request);
    });
  });
  return () => {
    const now = performance.now();
    const found = [...open, ...ended].map(([request, begun]) => ({
      method: request.method,
      path: pathOf(request),
      ms: Math.round(now - begun),
      request_id: request.id,
    }));
    ended.clear();
    return found;
  };
}
