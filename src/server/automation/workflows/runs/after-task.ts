// What the end of a task means for the run of a workflow in which it is a node.

import type { Context } from '../../../context/context.ts';
import type { Row } from '../../../db/tables.ts';
import { tellRun } from './advance.ts';
import { findNode, updateNode } from './nodes.store.ts';
import type { StartTask } from './task-calls.ts';

export type TaskOfRun = Pick<Row<'tasks'>, 'id' | 'workflow_run_id' | 'workflow_node'>;

/** Carries the run on, in the transaction that ends the task. */
export async function afterTask(
  ctx: Context,
  start: StartTask,
  { id, workflow_run_id: runId, workflow_node: node }: TaskOfRun,
  outcome: 'success' | 'failure',
): Promise<void> {
  if (runId === null || node === null) return;
  const row = await findNode(ctx.db, runId, node);
  // Of a node that runs another task by now, this one says nothing.
  if (row?.task_id !== id) return;
  await tellRun(ctx, start, runId, { type: 'ended', node, outcome });
}

/** Makes the next attempt of a failed task the task of its node. */
export async function followAttempt(
  { db }: Context,
  { id, workflow_run_id: runId, workflow_node: node }: TaskOfRun,
  nextId: number,
): Promise<void> {
  if (runId === null || node === null) return;
  const row = await findNode(db, runId, node);
  if (row?.task_id === id) await updateNode(db, runId, node, { task_id: nextId });
}
