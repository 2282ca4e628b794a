// A use case in one transaction. Hints wait for its end: who is told earlier would read the
// rows as they were, and a transaction that fails has changed nothing to tell of.

import type { Context } from './context.ts';
import type { Hub } from './live/hub.ts';

/**
 * Runs the work in the transaction at hand, or in a new one. In one of the isolation `repeatable
 * read` all that is read is of one moment, as it always is in SQLite.
 */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
  isolation: 'read committed' | 'repeatable read' = 'read committed',
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  const hints: (() => void)[] = [];
  const hub: Hub = {
    subscribe: ctx.hub.subscribe,
    publish: (topic, message) => {
      hints.push(() => ctx.hub.publish(topic, message));
    },
  };
  const result = await ctx.db
    .transaction()
    .setIsolationLevel(isolation)
    .execute((db) => work({ ...ctx, db, hub }));
  for (const hint of hints) hint();
  return result;
}
