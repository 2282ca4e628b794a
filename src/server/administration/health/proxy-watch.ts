// Detects an untrusted proxy. All people behind it share one address, and one rate limit per address.

import type { FastifyInstance } from 'fastify';

const DETECTED_MS = 60 * 60_000;

/** Only requests of signed-in users count: everybody else could forge the header. */
export function watchProxies(
  app: FastifyInstance,
  { trustedProxies }: { trustedProxies: string[] },
): () => boolean {
  let seen = -Infinity;
  if (trustedProxies.length > 0) return () => false;
  app.addHook('onResponse', async (request) => {
    if (request.account !== '' && request.headers['x-forwarded-for'] !== undefined) {
      seen = performance.now();
    }
  });
  return () => performance.now() - seen < DETECTED_MS;
}
