// Launches runs of workflows, and repeats earlier ones from some nodes.

import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { WorkflowLaunch } from '#shared/api/workflows.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { fail } from '../../../lib/errors.ts';
import { requireSound, requireWorkflow } from '../definitions/workflows.ts';
import { applyRunEvent } from './advance.ts';
import { refuseManyRuns } from './count-runs.ts';
import { createRun, type NewRun } from './create-run.ts';
import { decidedAgain, withApprovalsOf } from './decided-again.ts';
import { keepNode } from './kept-nodes.ts';
import { openRunValues } from './node-values.ts';
import { listNodes } from './nodes.store.ts';
import { requireRunRow, getRun } from './get-runs.ts';

interface WorkflowRef {
  projectId: number;
  workflowId: number;
}

/** Checks the workflow again, because its references may have changed since it was saved. */
export async function launchWorkflow(
  ctx: Context,
  { projectId, workflowId }: WorkflowRef,
  given: WorkflowLaunch & Pick<NewRun, 'launcher' | 'requestedBy' | 'extracted'>,
): Promise<WorkflowRun> {
  const workflow = await requireSound(ctx, projectId, workflowId);
  await refuseManyRuns(ctx, projectId, workflow.graph);
  const id = await inTransaction(ctx, async (inner) => {
    const created = await createRun(inner, workflow, given);
    await applyRunEvent(inner, created, { type: 'started' });
    return created;
  });
  return getRun(ctx, projectId, id);
}

/**
 * Repeats a finished run, from the nodes that failed or from the chosen ones. These, all that follow and
 * the approvals before them are decided again; other nodes keep their states, tasks and outputs.
 */
export async function runAgain(
  ctx: Context,
  { projectId, runId }: { projectId: number; runId: number },
  chosen: string[] | null,
): Promise<WorkflowRun> {
  const run = await requireRunRow(ctx, projectId, runId);
  if (!isRunFinished(run.status)) throw fail('workflow_run.unfinished');
  const rows = await listNodes(ctx.db, [run.id]);
  const failed = rows.filter(({ state }) => state === 'failure').map(({ node }) => node);
  const again = chosen ?? failed;
  const unknown = again.find((key) => !run.graph.nodes.some((node) => node.key === key));
  if (unknown !== undefined) throw fail('workflow_run.node_unknown', { node: unknown });
  if (again.length === 0) throw fail('workflow_run.nothing_failed');
  const decided = decidedAgain(run.graph, again);
  const today = await requireWorkflow(ctx, projectId, run.workflow_id);
  const graph = withApprovalsOf(today.graph, run.graph, decided);
  const workflow = { ...run, graph, id: run.workflow_id };
  const id = await inTransaction(ctx, async (inner) => {
    const { message } = run;
    const extracted = openRunValues(inner, run);
    const created = await createRun(inner, workflow, { message, extracted, rerunOf: run.id });
    const places = new Map((await listNodes(inner.db, [created])).map((row) => [row.node, row]));
    for (const row of rows) {
      const place = places.get(row.node);
      if (place && !decided.has(row.node)) await keepNode(inner, run, row, place);
    }
    await applyRunEvent(inner, created, { type: 'started' });
    return created;
  });
  return getRun(ctx, projectId, id);
}
