// Applies the end of a task to the workflow run in which it is a node.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import { applyRunEvent } from './advance.ts';
import { findNodeOf, updateNode } from './nodes.store.ts';

export async function afterTask(
  ctx: Context,
  { id, workflow_run_id: runId, status }: Pick<Task, 'id' | 'workflow_run_id' | 'status'>,
): Promise<void> {
  if (runId === null) return;
  // Ignore stale tasks: the node has since been retried.
  const node = await findNodeOf(ctx.db, runId, id);
  if (node === null) return;
  const outcome = status === 'success' ? 'success' : 'failure';
  await applyRunEvent(ctx, runId, { type: 'ended', node, outcome });
}

/** Assigns the next attempt of a failed task to its node. */
export async function followAttempt(
  { db }: Context,
  { id, workflow_run_id: runId }: Pick<Task, 'id' | 'workflow_run_id'>,
  nextId: number,
): Promise<void> {
  if (runId === null) return;
  const node = await findNodeOf(db, runId, id);
  if (node !== null) await updateNode(db, runId, node, { task_id: nextId });
}
