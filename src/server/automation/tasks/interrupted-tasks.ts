// The tasks that a restored database still counts as begun: their programs belong to another machine.

import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { Context } from '../../context/context.ts';
import { addWords } from './log/append-lines.ts';
import { listBegun, listUnbegun } from './runs/run.store.ts';
import { endTask } from './end-task.ts';

const failure: Failure = { code: 'failure.restored', params: {} };

/** Ends the tasks that had begun, as failed; returns how many. */
export async function endBegunTasks(ctx: Context): Promise<number> {
  const tasks = await listBegun(ctx.db);
  for (const task of tasks) {
    await addWords(ctx, task, [taskFailures.message(failure)]);
    await endTask(ctx, task, 'error', { failure });
  }
  return tasks.length;
}

/** Stops all tasks that wait, with those that follow from that; returns how many. */
export async function stopWaitingTasks(ctx: Context): Promise<number> {
  let stopped = 0;
  for (;;) {
    const tasks = await listUnbegun(ctx.db);
    if (tasks.length === 0) return stopped;
    for (const task of tasks) {
      await addWords(ctx, task, ['Stopped, because this is a restore for a drill.']);
      await endTask(ctx, task, 'stopped');
      stopped += 1;
    }
  }
}
