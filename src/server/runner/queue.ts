// What is due to run. In one process: the table says what waits, the hub says when to look.

import type { Context } from '../context.ts';
import { claimDue, nextTry, type ClaimedTask } from '../tasks/claim.ts';

export interface Queue {
  /** The tasks that the limits allow, each ours alone from when it is handed over. */
  take: () => AsyncIterable<ClaimedTask>;
  /** When, after this time, it is worth looking without being called; null: never. */
  nextTime: (after: Date) => Promise<Date | null>;
  /** Calls back whenever it is worth looking; answers the function that ends this. */
  onReady: (listener: () => void) => () => void;
}

export function localQueue(ctx: Context): Queue {
  return {
    take: () => claimDue(ctx),
    nextTime: (after) => nextTry(ctx, after),
    onReady(listener) {
      const ends = [
        ctx.hub.subscribe('queue', listener),
        ctx.hub.subscribe('missed', listener),
        // Their limits may have changed.
        ctx.hub.subscribe('changed', ({ noun }) => {
          if (noun === 'projects' || noun === 'templates') listener();
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
