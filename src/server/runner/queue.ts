// What is due to run. In one process: the table says what waits, the hub says when to look.

import type { Context } from '../context.ts';
import { claimNext, type ClaimedTask } from '../tasks/claim.ts';

export interface Queue {
  /** The next task that the limits allow, now ours alone; null when there is none. */
  take: () => Promise<ClaimedTask | null>;
  /** Calls back whenever it is worth looking; answers the function that ends this. */
  onReady: (listener: () => void) => () => void;
}

export function localQueue(ctx: Context): Queue {
  return {
    take: () => claimNext(ctx),
    onReady: (listener) => ctx.hub.subscribe('queue', listener),
  };
}
