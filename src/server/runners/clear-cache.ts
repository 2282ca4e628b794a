// Asks a runner to clear what it keeps for later runs. It hears of it with its next news.

import type { Context } from '../context/context.ts';
import { inTransaction } from '../context/transaction.ts';
import { getRunner, tell } from './administration.ts';
import type { RunnerRef } from './runners.ts';
import { findCleaning, updateCleaning } from './runners.store.ts';

// Of the runner beside a server with the embedded database, which has no row. A restart forgets it.
const askedOfOwn = new WeakMap<object, string>();

export async function askToClear(ctx: Context, which: RunnerRef): Promise<void> {
  const now = ctx.clock.now().toISOString();
  await inTransaction(ctx, async (inner) => {
    const runner = await getRunner(inner, which);
    const isStored = await updateCleaning(inner.db, runner.id, now);
    if (!isStored) askedOfOwn.set(ctx.hub, now);
    await tell(inner, runner, 'runner.cache_cleared');
    inner.hub.publish('task.assigned', { runnerId: isStored ? runner.id : null });
  });
}

/** When a runner was last asked; null: never. Its id is null for the one without a row. */
export async function cleaningOf(
  { db, hub }: Pick<Context, 'db' | 'hub'>,
  id: number | null,
): Promise<string | null> {
  return id === null ? (askedOfOwn.get(hub) ?? null) : findCleaning(db, id);
}
