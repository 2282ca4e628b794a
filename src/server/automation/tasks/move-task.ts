import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { Task } from '#shared/api/tasks.ts';
import { raiseAlerts } from '../../alerts/alert-deliveries/raise-alerts.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { moveStatus } from './rows/tasks.store.ts';
import { markTime } from './runs/trace.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import { endRow } from './ends/ends.store.ts';
import { addFollowUps, followEnd } from './ends/follow-ups.ts';
import { keptExitCode } from './ends/record-end.ts';

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
    const change = why ? { confirmation_reason: JSON.stringify(why) } : {};
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

interface EndOptions {
  /** The statuses from which it may end; absent: all that allow the move. */
  from?: TaskStatus[];
  exitCode?: number | null;
  failure?: Failure | null;
}

/**
 * Ends a task. A stopping task ends as stopped, whatever its result. Only the end is stored here:
 * follow-ups run afterwards, and cannot roll it back.
 */
export async function endTask(
  ctx: Context,
  task: TaskKey,
  to: 'success' | 'error' | 'stopped',
  { from, exitCode = null, failure = null }: EndOptions = {},
): Promise<boolean> {
  const { id, project_id: projectId } = task;
  const time = ctx.clock.now().toISOString();
  const result = {
    time,
    exitCode: keptExitCode(exitCode),
    failure: failure && JSON.stringify(failure),
  };
  const none = { time, exitCode: null, failure: null };
  const isEnded = await inTransaction(ctx, async (inner) => {
    const lines =
      (await endRow(inner.db, task, { to, from }, result)) ??
      (await endRow(inner.db, task, { to: 'stopped', from: from ?? ['stopping'] }, none));
    if (lines === null) return false;
    await addFollowUps(inner, id);
    inner.hub.publish('task.changed', { projectId, taskId: id });
    // Wakes readers of the log: it is complete.
    inner.hub.publish('log.appended', { projectId, taskId: id, from: lines + 1, total: lines });
    inner.hub.publish('queue.changed', {});
    // The outer transaction may still be rolled back, so follow-ups run after it.
    if (ctx.db.isTransaction) inner.hub.publish('follow-up.added', {});
    return true;
  });
  if (isEnded && !ctx.db.isTransaction) await followEnd(ctx, task);
  return isEnded;
}
