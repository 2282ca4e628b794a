// Ends the tasks that had begun in a restored database: their programs ran on another machine.

import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { Context } from '../../context/context.ts';
import { addWords } from './log/append-lines.ts';
import { listBegun, listUnbegun } from './runs/run.store.ts';
import { endTask } from './end-task.ts';

const failure: Failure = { code: 'failure.restored', params: {} };

/** Returns the number of tasks. */
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
