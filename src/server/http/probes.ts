// Health probes for Kubernetes, load balancers and monitors. They need no credentials, accept any host name
// and have no rate limit, since a refused probe would stop a healthy server.

import type { FastifyInstance } from 'fastify';

const config = { permission: 'public', anyHost: true, isProbe: true } as const;

/** `listReasons` returns codes; empty when the server is ready. */
export function mountProbes(app: FastifyInstance, listReasons: () => Promise<string[]>): void {
  app.get('/healthz', { config }, async () => ({ status: 'alive' }));
  // The default health check of HAProxy.
  app.options('/', { config }, (_request, reply) =>
    reply.header('Allow', 'GET, HEAD').code(204).send(),
  );
  app.get('/readyz', { config }, async (_request, reply) => {
    const reasons = await listReasons();
    if (reasons.length === 0) return { status: 'ready', reasons };
    return reply.code(503).send({ status: 'not_ready', reasons });
  });
}
