// Rate limits by client address, shared by all servers.

import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { digest } from '../lib/digest.ts';
import { isAlone, type Context } from '../context/context.ts';
import { countCall } from '../db/call-counts.ts';

/** Returns null for a single server, which counts in memory. */
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
      // The database stores a hash, not the address.
      // oxlint-disable promise/no-callback-in-promise -- the interface of the library
      countCall(ctx.db, digest(`${endpoint} ${address}`), { now, windowMs }).then(
        ({ calls, ends }) =>
          callback(null, { current: calls, ttl: Date.parse(ends) - now.getTime() }),
        (error: Error) => callback(error),
      );
      // oxlint-enable promise/no-callback-in-promise
    }

    // Contrary to its types, the plugin merges the limits with the options of the route.
    child(given: object): FastifyRateLimitStore {
      const { perServer, routeInfo } = given as Limits;
      if (perServer) return new OwnCounts(ctx);
      return new (storeOn(ctx, `${routeInfo.method} ${routeInfo.url}`))({});
    }
  };
}

interface Limits {
  perServer?: boolean;
  routeInfo: { method: string; url: string };
}

const MAX_ADDRESSES = 5000;

/** Counts only the calls that reach this server. */
class OwnCounts implements FastifyRateLimitStore {
  readonly #clock: Context['clock'];
  /** By address, ordered by the begin of the time window. */
  readonly #windows = new Map<string, { current: number; ends: number }>();

  constructor({ clock }: Pick<Context, 'clock'>) {
    this.#clock = clock;
  }

  incr(
    address: string,
    callback: Parameters<FastifyRateLimitStore['incr']>[1],
    windowMs: number,
  ): void {
    const now = this.#clock.now().getTime();
    const known = this.#windows.get(address);
    const open = known && known.ends > now ? known : this.#begin(address, now + windowMs);
    open.current += 1;
    callback(null, { current: open.current, ttl: open.ends - now });
  }

  #begin(address: string, ends: number): { current: number; ends: number } {
    this.#windows.delete(address);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
    const begun = { current: 0, ends };
    this.#windows.set(address, begun);
    return begun;
  }

  child(): FastifyRateLimitStore {
    return new OwnCounts({ clock: this.#clock });
  }
}
