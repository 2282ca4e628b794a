// Ends tasks.

import type { Failure } from '#shared/catalogue/task-failures.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { endRow } from './ends/ends.store.ts';
import { followEnd, leaveFollowUps } from './ends/follow-ups.ts';
import { keptExitCode } from './ends/record-end.ts';
import type { TaskKey } from './move-task.ts';

interface EndOptions {
  /** The statuses from which it may end; absent: all that allow the move. */
  from?: TaskStatus[];
  exitCode?: number | null;
  /** Why it failed. */
  failure?: Failure | null;
}

/**
 * Ends a task: its last move. One that was told to stop ends as stopped, whatever came of it. Only the
 * end is stored here; what follows comes after it, and cannot take it back.
 */
export async function endTask(
  ctx: Context,
  task: TaskKey,
  to: 'success' | 'error' | 'stopped',
  { from, exitCode = null, failure = null }: EndOptions = {},
): Promise<boolean> {
  const { id, project_id: projectId } = task;
  const time = ctx.clock.now().toISOString();
  const told = {
    time,
    exitCode: keptExitCode(exitCode),
    failure: failure && JSON.stringify(failure),
  };
  const none = { time, exitCode: null, failure: null };
  const isEnded = await inTransaction(ctx, async (inner) => {
    const lines =
      (await endRow(inner.db, task, { to, from }, told)) ??
      (await endRow(inner.db, task, { to: 'stopped', from: from ?? ['stopping'] }, none));
    if (lines === null) return false;
    await leaveFollowUps(inner, id);
    inner.hub.publish('task.changed', { projectId, taskId: id });
    // Wakes those who follow the log: nothing more will come.
    inner.hub.publish('log.appended', { projectId, taskId: id, from: lines + 1, total: lines });
    inner.hub.publish('queue.changed', {});
    // Whoever has begun this transaction may still roll it back.
    if (ctx.db.isTransaction) inner.hub.publish('follow-up.added', {});
    return true;
  });
  if (isEnded && !ctx.db.isTransaction) await followEnd(ctx, task);
  return isEnded;
}
