// Requests a runner to clear its caches, with its next poll.

import type { Context } from '../context/context.ts';
import { inTransaction } from '../context/transaction.ts';
import { getRunner } from './administration.ts';
import { recordRunner, type RunnerRef } from './runners.ts';
import { findCleaning, updateCleaning } from './runners.store.ts';

// For the runner beside an embedded database, which has no row. Lost on restart.
const requestedOfOwn = new WeakMap<object, string>();

export async function requestCleaning(ctx: Context, which: RunnerRef): Promise<void> {
  const now = ctx.clock.now().toISOString();
  await inTransaction(ctx, async (inner) => {
    const runner = await getRunner(inner, which);
    const isStored = await updateCleaning(inner.db, runner.id, now);
    if (!isStored) requestedOfOwn.set(ctx.hub, now);
    await recordRunner(inner, runner, 'runner.cache_cleared');
    inner.hub.publish('task.assigned', { runnerId: isStored ? runner.id : null });
  });
}

/** When the last request was made. The id is null for the runner without a row. */
export async function cleaningOf(
  { db, hub }: Pick<Context, 'db' | 'hub'>,
  id: number | null,
): Promise<string | null> {
  return id === null ? (requestedOfOwn.get(hub) ?? null) : findCleaning(db, id);
}
