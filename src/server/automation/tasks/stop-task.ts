// Stops tasks.

import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import type { Context } from '../../context/context.ts';
import { AppError } from '../../lib/errors.ts';
import { requireTemplate } from '../templates/templates.ts';
import { endTask } from './end-task.ts';
import { moveTask } from './move-task.ts';
import { listUnfinished } from './rows/tasks.store.ts';
import { recordTask, requireTask } from './tasks.ts';

/** Stops a task: a waiting one at once, others by their runner. No-op for a finished task. */
export async function stopTask(
  ctx: Context,
  projectId: number,
  id: number,
  force: boolean,
): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  if (isFinished(task.status)) return;
  await recordTask(ctx, 'task.stopped', task);
  // A task that has been claimed meanwhile belongs to the runner.
  const from: TaskStatus[] = ['waiting', 'waiting_confirmation', 'confirmed'];
  if (await endTask(ctx, task, 'stopped', { from })) {
    // It may have waited in the middle of its run, which is removed.
    ctx.hub.publish('task.stop-requested', { taskId: id, force });
    return;
  }
  // Without a move it is stopping already, or has finished in the meantime.
  await moveTask(ctx, task, 'stopping');
  ctx.hub.publish('task.stop-requested', { taskId: id, force });
}

/** Stops every unfinished task of a template, the newest first, so that none takes a freed slot. */
export async function stopAllTasks(
  ctx: Context,
  projectId: number,
  templateId: number,
  force: boolean,
): Promise<void> {
  await requireTemplate(ctx, projectId, templateId);
  const seen = new Set<number>();
  for (;;) {
    const all = await listUnfinished(ctx.db, projectId, templateId);
    const ids = all.filter((id) => !seen.has(id));
    // One that failed meanwhile may have left a further attempt.
    if (ids.length === 0) return;
    for (const id of ids) {
      seen.add(id);
      try {
        await stopTask(ctx, projectId, id, force);
      } catch (error) {
        // It has been deleted meanwhile.
        if (!(error instanceof AppError)) throw error;
      }
    }
  }
}
