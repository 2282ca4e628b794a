// Requests that a runner clears its caches. The runner receives the request with its next poll.

import type { Context } from '../context/context.ts';
import { inTransaction } from '../context/transaction.ts';
import { getRunner } from './administration.ts';
import { recordRunnerEvent } from './runner-events.ts';
import type { RunnerRef } from './runners.ts';
import { findCleaning, updateRunner } from './runners.store.ts';

// The runner beside a server with the embedded database has no row. A restart forgets its request.
const askedOfOwn = new WeakMap<object, string>();

export async function askToClear(ctx: Context, which: RunnerRef): Promise<void> {
  const now = ctx.clock.now().toISOString();
  await inTransaction(ctx, async (inner) => {
    const runner = await getRunner(inner, which);
    const isStored = await updateRunner(inner.db, runner.id, { cleaning_requested: now });
    if (!isStored) askedOfOwn.set(ctx.hub, now);
    await recordRunnerEvent(inner, runner, 'runner.cache_cleared');
    inner.hub.publish('task.assigned', { runnerId: isStored ? runner.id : null });
  });
}

/** The time of the last request to a runner; null: never. `id` is null for the runner without a row. */
export async function cleaningOf(
  { db, hub }: Pick<Context, 'db' | 'hub'>,
  id: number | null,
): Promise<string | null> {
  return id === null ? (askedOfOwn.get(hub) ?? null) : findCleaning(db, id);
}
