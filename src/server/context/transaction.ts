// A use case in one transaction. Hints wait for its end: who is told earlier would read the
// rows as they were, and a transaction that fails has changed nothing to tell of.

import type { Context } from './context.ts';
import type { Hint, Hub } from '../live/hub.ts';

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
  const hints: Hint[] = [];
  const hub: Hub = {
    ...ctx.hub,
    publish: (...hint) => {
      hints.push(hint);
    },
  };
  const [result, tell] = await ctx.db
    .transaction()
    .setIsolationLevel(isolation)
    .execute(async (db) => {
      const done = await work({ ...ctx, db, hub });
      return [done, await ctx.hub.publishWith(db, hints)] as const;
    });
  tell();
  return result;
}
