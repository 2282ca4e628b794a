// Whoever has launched a task, or made what launches it, has to have the right on it when it begins, too.

import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { plansFirst } from '#shared/apps.ts';
import type { Right } from '#shared/rights.ts';
import type { Context } from '../../../context/context.ts';
import { addWords } from '../log/append-lines.ts';
import { endTask } from '../move-task.ts';
import { findRow, toPlainRow } from '../rows/tasks.store.ts';
import { checkLimits, launchOf, wordsOfBeyond } from '../launch/grant-limits.ts';
import {
  askSecondPerson,
  findLaunchedTask,
  type LaunchedTask,
  type LauncherRef,
} from './launch-rights.store.ts';
import { listWaitingOf } from '../runs/run.store.ts';

/** One of these is enough. */
function rightsToLaunch({ user_id: userId, workflow_run_id: runId }: LaunchedTask): Right[] {
  if (runId !== null) return ['workflow.run', 'task.restart'];
  return userId === null ? ['template.run'] : ['template.run', 'task.restart'];
}

/** What becomes of a waiting task that is about to begin. */
export type Begin = 'ended' | 'free' | { notConfirmedBy: LauncherRef };

/** Ends a waiting task whose launcher may launch it no longer. */
export async function mayBegin(ctx: Context, taskId: number): Promise<Begin> {
  const task = await findLaunchedTask(ctx.db, taskId);
  if (!task) return 'free';
  const { launcher } = task;
  if (!launcher) return endWith(ctx, task, launcherGone);
  const { username: user, objects } = launcher;
  const rights = rightsToLaunch(task);
  if (!rights.some((right) => launcher.rights.has(right))) {
    return endWith(ctx, task, { code: 'failure.launcher_right', params: { user } });
  }
  // A workflow decides by itself with what it runs its templates.
  if (!objects || task.workflow_run_id !== null) return 'free';
  const row = await findRow(ctx.db, task.id);
  if (!row) return 'ended';
  const checked = checkLimits(objects, rights, launchOf(toPlainRow(row)));
  if ('beyond' in checked) {
    const words = await wordsOfBeyond(ctx, task.project_id, checked.beyond);
    return endWith(ctx, task, { code: 'failure.launcher_limits', params: { ...words, user } });
  }
  if (!checked.needsSecond || row.confirmed_at !== null) return 'free';
  return holdOrPlan(ctx, toPlainRow(row), launcher);
}

/** What plans first runs until its plan is there; everything else waits before it begins. */
async function holdOrPlan(
  ctx: Context,
  task: ReturnType<typeof toPlainRow>,
  { id, username }: LauncherRef,
): Promise<Begin> {
  const words = `Another person than ${username} has to confirm this task.`;
  if (task.not_confirmed_by === null) await addWords(ctx, task, [words]);
  if (!plansFirst(task.snapshot.app) || task.snapshot.dryRun)
    return { notConfirmedBy: { id, username } };
  await askSecondPerson(ctx.db, task.id, { id, username }, task.snapshot);
  return 'free';
}

async function endWith(ctx: Context, task: LaunchedTask, failure: Failure): Promise<Begin> {
  await addWords(ctx, task, [taskFailures.message(failure)]);
  await endTask(ctx, task, 'error', { from: ['waiting'], failure });
  return 'ended';
}

const launcherGone: Failure = { code: 'failure.launcher_gone', params: {} };

/** Before a user is deleted: nothing of theirs begins any more. Runs in the caller's transaction. */
export async function endWaitingOf(ctx: Context, userId: number): Promise<void> {
  for (const task of await listWaitingOf(ctx.db, userId)) {
    await endTask(ctx, task, 'error', { from: ['waiting'], failure: launcherGone });
  }
}
