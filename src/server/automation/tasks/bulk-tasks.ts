import type { BulkLaunch } from '#shared/api/bulk.ts';
import type { Context } from '../../context/context.ts';
import { forEachId } from '../../lib/bulk.ts';
import { restartTask } from './run-again.ts';
import { stopTask } from './stop-task.ts';

/** Stops the newest first, so that no freed slot starts one that is stopped next. */
export async function stopTasks(
  ctx: Context,
  projectId: number,
  ids: readonly number[],
): Promise<BulkLaunch[]> {
  const newestFirst = ids.toSorted((one, other) => other - one);
  const results = await forEachId(newestFirst, (id) => stopTask(ctx, projectId, id, false));
  return results.map(({ id, ok, error }) => ({ id, ok, error, task_id: null }));
}

/** Restarts the oldest first, so that the tasks run in their earlier order. */
export async function restartTasks(
  ctx: Context,
  projectId: number,
  ids: readonly number[],
): Promise<BulkLaunch[]> {
  const oldestFirst = ids.toSorted((one, other) => one - other);
  const results = await forEachId(oldestFirst, (id) => restartTask(ctx, projectId, id));
  return results.map(({ value, ...result }) => ({ ...result, task_id: value?.id ?? null }));
}
