// Whoever has launched a task, or made what launches it, has to have the right when it begins, too.

import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import type { Right } from '#shared/rights.ts';
import type { Context } from '../../../context/context.ts';
import { addWords } from '../log/append-lines.ts';
import { endTask } from '../move-task.ts';
import { findLaunchedTask, type LaunchedTask } from './launch-rights.store.ts';
import { listWaitingOf } from '../runs/run.store.ts';

/** One of these is enough. */
function rightsToLaunch({ user_id: userId, workflow_run_id: runId }: LaunchedTask): Right[] {
  if (runId !== null) return ['workflow.run', 'task.restart'];
  return userId === null ? ['template.run'] : ['template.run', 'task.restart'];
}

/** Ends a waiting task whose launcher may launch it no longer; returns whether it did. */
export async function endWithoutRight(ctx: Context, taskId: number): Promise<boolean> {
  const task = await findLaunchedTask(ctx.db, taskId);
  if (!task) return false;
  const { launcher } = task;
  if (launcher && rightsToLaunch(task).some((right) => launcher.rights.has(right))) return false;
  const failure: Failure = launcher
    ? { code: 'failure.launcher_right', params: { user: launcher.username } }
    : launcherGone;
  await addWords(ctx, task, [taskFailures.message(failure)]);
  return endTask(ctx, task, 'error', { from: ['waiting'], failure });
}

const launcherGone: Failure = { code: 'failure.launcher_gone', params: {} };

/** Before a user is deleted: nothing of theirs begins any more. Runs in the caller's transaction. */
export async function endWaitingOf(ctx: Context, userId: number): Promise<void> {
  for (const task of await listWaitingOf(ctx.db, userId)) {
    await endTask(ctx, task, 'error', { from: ['waiting'], failure: launcherGone });
  }
}
