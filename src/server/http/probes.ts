// The addresses that probes of Kubernetes, load balancers and monitors ask. They are no part of
// the API: they need no credentials, answer under any host name, and have no limit of calls, since a
// probe that is refused would end a server that works.

import type { FastifyInstance } from 'fastify';

const config = { permission: 'public', anyHost: true, isProbe: true } as const;

/** `listReasons` answers in short codes why the server cannot do its work; none: it can. */
export function mountProbes(app: FastifyInstance, listReasons: () => Promise<string[]>): void {
  app.get('/healthz', { config }, async () => ({ status: 'alive' }));
  // What HAProxy asks when it is told no address.
  app.options('/', { config }, (_request, reply) =>
    reply.header('Allow', 'GET, HEAD').code(204).send(),
  );
  app.get('/readyz', { config }, async (_request, reply) => {
    const reasons = await listReasons();
    if (reasons.length === 0) return { status: 'ready', reasons };
    return reply.code(503).send({ status: 'not_ready', reasons });
  });
}
