// Limits of calls that hold for all servers together.

import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { digest } from '../digest.ts';
import { isAlone, type Context } from '../context.ts';
import { countCall } from '../db/call-counts.ts';

/** Where the calls are counted; null: in the memory of the only server. */
export function sharedLimits(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
): FastifyRateLimitStoreCtor | null {
  return isAlone(ctx) ? null : storeOn(ctx, '');
}

function storeOn(ctx: Pick<Context, 'db' | 'clock'>, endpoint: string): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr(
      address: string,
      callback: Parameters<FastifyRateLimitStore['incr']>[1],
      windowMs: number,
    ): void {
      const now = ctx.clock.now();
      // No address is kept.
      // oxlint-disable promise/no-callback-in-promise -- the interface of the library
      countCall(ctx.db, digest(`${endpoint} ${address}`), { now, windowMs }).then(
        ({ calls, ends }) =>
          callback(null, { current: calls, ttl: Date.parse(ends) - now.getTime() }),
        (error: Error) => callback(error),
      );
      // oxlint-enable promise/no-callback-in-promise
    }

    // What is given is not what the types say, but the limits with the route in them.
    child(given: object): FastifyRateLimitStore {
      const { method, url } = (given as { routeInfo: { method: string; url: string } }).routeInfo;
      return new (storeOn(ctx, `${method} ${url}`))({});
    }
  };
}
