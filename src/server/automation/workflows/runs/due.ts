// Ends due nodes: waits, and approvals without a decision.

import { isRunFinished } from '#shared/workflows/run-status.ts';
import type { Reason } from '#shared/workflows/decisions.ts';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { applyRunEvent } from './advance.ts';
import { listNodes } from './nodes.store.ts';
import { lockRun } from './runs.store.ts';

/** No-op if another server or a person was faster. */
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
