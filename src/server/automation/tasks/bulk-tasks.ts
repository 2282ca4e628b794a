import type { BulkLaunch } from '#shared/api/bulk.ts';
import { newTask } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { forEachId } from '../../lib/bulk.ts';
import { givenId } from '../../lib/unseen-ids.ts';
import { restartTask } from './run-again.ts';
import { startTask } from './start-task.ts';
import { stopTask } from './stop-task.ts';

/** Stops the newest first, so that no freed slot starts one that is stopped next. */
export async function stopTasks(
  ctx: Context,
  projectId: number,
  ids: readonly number[],
): Promise<BulkLaunch[]> {
  const newestFirst = ids.toSorted((one, other) => givenId(other) - givenId(one));
  const results = await forEachId(newestFirst, (id) => stopTask(ctx, projectId, id, false));
  return results.map(({ id, ok, error }) => ({ id, ok, error, task_id: null }));
}

/** Restarts the oldest first, so that the tasks run in their earlier order. */
export async function restartTasks(
  ctx: Context,
  projectId: number,
  ids: readonly number[],
): Promise<BulkLaunch[]> {
  const oldestFirst = ids.toSorted((one, other) => givenId(one) - givenId(other));
  return launchEach(oldestFirst, (id) => restartTask(ctx, projectId, id));
}

/** Runs templates with their own options, in this order. */
export const runTemplates = (
  ctx: Context,
  projectId: number,
  ids: readonly number[],
): Promise<BulkLaunch[]> =>
  launchEach(ids, (id) => startTask(ctx, projectId, newTask.parse({ template_id: id })));

async function launchEach(
  ids: readonly number[],
  launch: (id: number) => Promise<{ id: number }>,
): Promise<BulkLaunch[]> {
  const results = await forEachId(ids, launch);
  return results.map(({ value, ...result }) => ({ ...result, task_id: value?.id ?? null }));
}
