// Lists open requests for the report of an event-loop stall.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ActiveWork } from '../../node/log/event-loop-watch.ts';
import { pathOf } from './access-log.ts';

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
