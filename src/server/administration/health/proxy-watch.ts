// Notices that requests come through a proxy that is not trusted. All people behind it then have one
// address for this server, and one count where it counts by address.

import type { FastifyInstance } from 'fastify';

/** For so long after such a request the proxy counts as being there. */
const rememberedMs = 60 * 60_000;

/** Returns a function that tells whether a signed-in user's request came so lately; strangers tell nothing. */
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
  return () => performance.now() - seen < rememberedMs;
}
