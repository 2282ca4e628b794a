// The requests that are under way, for whoever asks what the server is doing.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UnderWay } from '../../runner/system/stall-watch.ts';
import { pathOf } from './access-log.ts';

/** Answers those that are open, and those that have ended since it was last asked. */
export function openRequests(app: FastifyInstance): () => UnderWay['requests'] {
  const open = new Map<FastifyRequest, number>();
  const ended = new Map<FastifyRequest, number>();
  app.addHook('onRequest', async (request) => {
    open.set(request, performance.now());
    // Also when whoever asked has gone.
    request.raw.once('close', () => {
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
