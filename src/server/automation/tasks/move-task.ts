import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { Task } from '#shared/api/tasks.ts';
import { raiseAlerts } from '../../alerts/alert-deliveries/raise-alerts.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { moveStatus } from './rows/tasks.store.ts';
import { markTime } from './runs/trace.ts';

/** With the lease of the runner that holds the task, if a runner makes the change. */
export type TaskKey = Pick<Task, 'id' | 'project_id'> & { lease?: number };

/**
 * Moves a task to another status; false when its current one does not allow that. `why` is the reason why
 * a task with automatic approval waits for a confirmation.
 */
export async function moveTask(
  ctx: Context,
  task: TaskKey,
  to: TaskStatus,
  why: ConfirmationReason | null = null,
): Promise<boolean> {
  return inTransaction(ctx, async (inner) => {
    const change =
      to === 'waiting_confirmation' ? { confirmation_reason: why && JSON.stringify(why) } : {};
    const moved = await moveStatus(inner.db, task, { to }, change);
    if (!moved) return false;
    inner.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
    if (to !== 'waiting_confirmation') return true;
    const { lease } = task;
    if (lease !== undefined) await markTime(inner, { id: task.id, lease }, 'wait');
    await raiseAlerts(inner, task.id, 'waiting');
    return true;
  });
}
