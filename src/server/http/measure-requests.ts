// Labels requests by route pattern: paths may contain secrets and have unbounded cardinality.

import type { FastifyInstance } from 'fastify';
import type { Telemetry } from '../lib/telemetry/telemetry.ts';

const noRoute = 'none';

export function measureRequests(app: FastifyInstance, telemetry: Telemetry): void {
  app.addHook('onResponse', async (request, reply) => {
    // The runner beside the server polls continuously.
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
