// The unfinished tasks of all projects, for administrators.

import type { ActiveTask } from '#shared/api/active-tasks.ts';
import { runningStatuses } from '#shared/task-status.ts';
import type { Context } from '../../context/context.ts';
import { fail } from '../../lib/errors.ts';
import { withReasons } from './queue/waiting-reasons.ts';
import { findProjectOf, listActive, type ActiveRow } from './active-tasks.store.ts';
import { stopTask } from './stop-task.ts';

const running: readonly string[] = runningStatuses;

type ReasonedRow = Omit<ActiveRow, 'not_before' | 'execution_kind'> &
  Pick<ActiveTask, 'waiting_for'>;

function toActive({ username, status, runner_id, runner_name, ...row }: ReasonedRow): ActiveTask {
  const isRunning = running.includes(status);
  return {
    ...row,
    username: username ?? '',
    runner_id: isRunning ? runner_id : null,
    runner_name: isRunning ? runner_name : '',
    status,
    location: isRunning ? 'running' : 'queue',
  };
}

export async function getActiveTasks(ctx: Context): Promise<ActiveTask[]> {
  return (await withReasons(ctx, await listActive(ctx.db))).map(toActive);
}

export async function requireActiveTask(ctx: Context, id: number): Promise<ActiveTask> {
  const [row] = await withReasons(ctx, await listActive(ctx.db, id));
  if (!row) throw fail('task.not_active');
  return toActive(row);
}

export async function stopActiveTask(ctx: Context, id: number): Promise<void> {
  const projectId = await findProjectOf(ctx.db, id);
  if (projectId === null) throw fail('task.not_active');
  await stopTask(ctx, projectId, id, false);
}
