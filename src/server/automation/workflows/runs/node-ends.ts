// Applies the ends of tasks, waits and approvals to the workflow runs in which they are nodes.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import { applyRunEvent } from './advance.ts';
import { findNodeOf, updateNode, listNodes } from './nodes.store.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import type { Reason } from '#shared/workflows/decisions.ts';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { lockRun } from './runs.store.ts';

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

/** Ends a due wait or approval; no-op if another server or a person was faster. */
export async function endDue(
  ctx: Context,
  { run_id: runId, node: key }: { run_id: number; node: string },
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const run = await lockRun(inner.db, runId);
    if (!run || isRunFinished(run.status)) return;
    const row = (await listNodes(inner.db, [runId])).find(({ node }) => node === key);
    const node = run.graph.nodes.find((one) => one.key === key);
    const now = inner.clock.now().toISOString();
    if (!node || row?.state !== 'active' || row.until === null || row.until > now) return;
    await applyRunEvent(inner, runId, { type: 'ended', node: key, ...endOf(node) });
  });
}

function endOf(node: WorkflowNode): { outcome: 'success' | 'failure'; reason: Reason | null } {
  if (node.type !== 'approval' || node.on_timeout === 'approve') {
    return { outcome: 'success', reason: null };
  }
  const reason: Reason = { code: 'reason.timed_out', params: { node: node.name } };
  return { outcome: 'failure', reason };
}
