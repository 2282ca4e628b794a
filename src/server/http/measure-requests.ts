// Measures how long requests take, by the pattern of their route: never by the path itself, which may
// hold secrets and of which there is no end.

import type { FastifyInstance } from 'fastify';
import type { Telemetry } from '../lib/telemetry/telemetry.ts';

/** The route of requests that belong to none. */
const noRoute = 'none';

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
