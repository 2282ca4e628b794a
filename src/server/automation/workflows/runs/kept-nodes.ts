import { sealInto } from '../../../vault/sealed-texts.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import type { Context } from '../../../context/context.ts';
import { insertDecision } from './decisions.store.ts';
import { updateNode, type NodeRow } from './nodes.store.ts';
import { openAnswers } from './node-values.ts';
import type { RunRow } from './runs.store.ts';

/** Copies the outcome of a node of an earlier run into the row of the same node of a new run. */
export async function keepNode(
  ctx: Context,
  earlier: RunRow,
  row: NodeRow,
  place: NodeRow,
): Promise<void> {
  const { state, task_id, child_run_id, begin, end, reason, decided_by, answers } = row;
  const kept = { state, task_id, child_run_id, begin, end, reason, decided_by, answers };
  await updateNode(ctx.db, place.run_id, place.node, { ...kept, is_kept: true });
  if (row.secret !== null) {
    const text = JSON.stringify(openAnswers(ctx, row));
    await sealInto(ctx, sealedColumns.approvalAnswers, place, text);
  }
  if (state !== 'success') return;
  const name = earlier.graph.nodes.find(({ key }) => key === row.node)?.name ?? row.node;
  await insertDecision(ctx.db, place.run_id, {
    time: ctx.clock.now().toISOString(),
    code: 'decision.kept',
    params: { node: name, run: earlier.id },
  });
}
