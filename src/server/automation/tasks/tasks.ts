import type { Task } from '#shared/api/tasks.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import { record } from '../../events/events.ts';
import { fail } from '../../lib/errors.ts';
import { forgetRuns, lockHosts } from '../../resources/hosts/hosts.ts';
import { withReasons } from './queue/waiting-reasons.ts';
import { findTask } from './rows/shown-tasks.store.ts';
import { deleteFinished } from './rows/tasks.store.ts';

export async function getTask(ctx: Context, projectId: number, id: number): Promise<Task | null> {
  const task = await findTask(ctx.db, projectId, id);
  const [seen = null] = await withReasons(ctx, task ? [task] : []);
  return seen;
}

export async function requireTask(ctx: Context, projectId: number, id: number): Promise<Task> {
  const task = await getTask(ctx, projectId, id);
  if (!task) throw fail('task.not_found');
  return task;
}

export function recordTask(
  ctx: Context,
  code: Extract<EventCode, `task.${string}`>,
  task: Pick<Task, 'id' | 'project_id' | 'tpl_alias'>,
  params: Params = {},
): Promise<void> {
  return record(ctx, {
    code,
    projectId: task.project_id,
    object: { type: 'task', id: task.id, name: task.tpl_alias },
    params: { task: task.id, ...params },
  });
}

/** Deletes a finished task with its log. */
export async function removeTask(ctx: Context, projectId: number, id: number): Promise<void> {
  const task = await requireTask(ctx, projectId, id);
  await inTransaction(ctx, async (inner) => {
    await lockHosts(inner, projectId);
    const isDeleted = await deleteFinished(inner.db, projectId, id);
    if (!isDeleted) throw fail('task.wrong_status', { status: task.status });
    await forgetRuns(inner, projectId);
    await recordTask(inner, 'task.deleted', task);
  });
  // The templates show their last tasks.
  ctx.hub.publish('resource.changed', { projectId, noun: 'templates' });
}
