// Confirms or rejects a task that waits for a confirmation.

import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { fail } from '../../lib/errors.ts';
import { endTask } from './end-task.ts';
import { recordTask, requireTask } from './tasks.ts';
import { moveStatus } from './rows/tasks.store.ts';

export async function confirmTask(ctx: Context, projectId: number, id: number): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  const change = { confirmed_by: ctx.by.userId, confirmed_at: ctx.clock.now().toISOString() };
  await inTransaction(ctx, async (inner) => {
    if (!(await moveStatus(inner.db, { id }, { to: 'confirmed' }, change))) {
      const { status } = await requireTask(inner, projectId, id);
      throw fail('task.wrong_status', { status });
    }
    await recordTask(inner, 'task.confirmed', task);
    inner.hub.publish('task.changed', { projectId, taskId: id });
    inner.hub.publish('queue.changed', {});
  });
}

export async function rejectTask(ctx: Context, projectId: number, id: number): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  const isWaiting = task.status === 'waiting_confirmation';
  if (!isWaiting || !(await endTask(ctx, task, 'stopped', { from: ['waiting_confirmation'] }))) {
    const { status } = await requireTask(ctx, projectId, id);
    throw fail('task.wrong_status', { status });
  }
  await recordTask(ctx, 'task.stopped', task);
  // The task may be parked between two steps; its runner removes the run.
  ctx.hub.publish('task.stop-requested', { taskId: id, force: false });
}
