// Confirms or rejects a task that waits for a confirmation.

import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { fail } from '../../lib/errors.ts';
import { endTask } from './move-task.ts';
import { recordTask, requireTask } from './tasks.ts';
import { findNotConfirmedBy, moveStatus } from './rows/tasks.store.ts';
import type { Task } from '#shared/api/tasks.ts';
import { addWords } from './log/append-lines.ts';
import { listUnconfirmed } from './runs/runner-tasks.ts';

export async function confirmTask(ctx: Context, projectId: number, id: number): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  const notConfirmedBy = await findNotConfirmedBy(ctx.db, id);
  if (notConfirmedBy !== null && notConfirmedBy === ctx.by.userId) {
    throw fail('task.confirm_by_other');
  }
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

const dayMs = 24 * 60 * 60 * 1000;

/** The deadline of the confirmation of a task; null: no deadline, or no confirmation. */
export function confirmUntil(
  { config }: Context,
  { status, start, created }: Pick<Task, 'status' | 'start' | 'created'>,
): string | null {
  if (status !== 'waiting_confirmation' || config.confirmDays === 0) return null;
  return new Date(Date.parse(start ?? created) + config.confirmDays * dayMs).toISOString();
}

/** Stops tasks that were not confirmed in time, because they block other tasks of their template. */
export async function stopUnconfirmed(ctx: Context): Promise<void> {
  const days = ctx.config.confirmDays;
  if (days === 0) return;
  const since = new Date(ctx.clock.now().getTime() - days * dayMs);
  for (const task of await listUnconfirmed(ctx, since)) {
    await addWords(ctx, task, [`Nobody has confirmed this task within ${days} days. Stopped.`]);
    // The task may have been confirmed at the last moment.
    const isStopped = await endTask(ctx, task, 'stopped', { from: ['waiting_confirmation'] });
    if (isStopped) ctx.hub.publish('task.stop-requested', { taskId: task.id, force: false });
  }
}
