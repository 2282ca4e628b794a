// The access log: one line for each request, if enabled.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { heard, type Log } from '../../node/log/log.ts';

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
export function pathOf({ routeOptions, url }: FastifyRequest): string {
  const { config, url: route = '' } = routeOptions;
  const path = config.fromAnywhere ? route : (url.split('?')[0] ?? '');
  return path.slice(0, MAX_PATH_SHOWN_LENGTH);
}
