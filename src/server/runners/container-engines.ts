// The container engines of runners, such as `podman 4.3.1`, which runners report with each poll.

import type { Context } from '../context/context.ts';
import { updateRunnerEngine } from './runners.store.ts';

// What the runner beside this server has reported. Without a shared database it has no row.
const ownEngines = new WeakMap<object, string>();

/** Empty: none, or not reported yet. */
export const ownEngine = ({ hub }: Pick<Context, 'hub'>): string => ownEngines.get(hub) ?? '';

/** Stores what the runner beside this server reports. `id` is null for the runner without a row. */
export async function recordOwnEngine(
  ctx: Context,
  id: number | null,
  engine: string,
): Promise<void> {
  if (ownEngines.get(ctx.hub) === engine) return;
  if (id !== null) await updateRunnerEngine(ctx.db, id, engine);
  ownEngines.set(ctx.hub, engine);
  // Tasks in containers may have waited for it.
  ctx.hub.publish('queue.changed', {});
}
