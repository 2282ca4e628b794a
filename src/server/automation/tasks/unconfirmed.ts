// Stops tasks that were not confirmed in time, because they block other tasks of their template.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { addWords } from './log/append-lines.ts';
import { listUnconfirmed } from './runs/runner-tasks.ts';
import { endTask } from './end-task.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The deadline of the confirmation of a task; null: no deadline, or no confirmation. */
export function confirmUntil({ config }: Context, { status, start, created }: Task): string | null {
  if (status !== 'waiting_confirmation' || config.confirmDays === 0) return null;
  return new Date(Date.parse(start ?? created) + config.confirmDays * dayMs).toISOString();
}

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
