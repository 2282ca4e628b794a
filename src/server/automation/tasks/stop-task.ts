import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import type { Context } from '../../context/context.ts';
import { AppError } from '../../lib/errors.ts';
import { requireTemplate } from '../templates/templates.ts';
import { endTask, moveTask } from './move-task.ts';
import { listUnfinished } from './rows/tasks.store.ts';
import { recordTask, requireTask } from './tasks.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { addWords } from './log/append-lines.ts';
import { listBegun, listUnbegun } from './runs/run.store.ts';

/** Stops a waiting task at once, and others by their runner. No-op for a finished task. */
export async function stopTask(
  ctx: Context,
  projectId: number,
  id: number,
  force: boolean,
): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  if (isFinished(task.status)) return;
  await recordTask(ctx, 'task.stopped', task);
  const from: TaskStatus[] = ['waiting', 'waiting_confirmation', 'confirmed'];
  // A task that has been claimed meanwhile is stopped by its runner, unless it is stopping or finished.
  if (!(await endTask(ctx, task, 'stopped', { from }))) await moveTask(ctx, task, 'stopping');
  // Also for an ended task: it may be parked between two steps, and its runner removes the run.
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
    // A task that failed meanwhile may have launched a further attempt.
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

const failure: Failure = { code: 'failure.restored', params: {} };

/** Ends the tasks that had begun in a restored database; returns their number. */
export async function endBegunTasks(ctx: Context): Promise<number> {
  const tasks = await listBegun(ctx.db);
  for (const task of tasks) {
    await addWords(ctx, task, [taskFailures.message(failure)]);
    await endTask(ctx, task, 'error', { failure });
  }
  return tasks.length;
}

/** Stops all tasks that wait, and those that follow from their ends. */
export async function stopWaitingTasks(ctx: Context): Promise<void> {
  for (;;) {
    const tasks = await listUnbegun(ctx.db);
    if (tasks.length === 0) return;
    for (const task of tasks) {
      await addWords(ctx, task, ['Stopped, because this is a restore for a drill.']);
      await endTask(ctx, task, 'stopped');
    }
  }
}
