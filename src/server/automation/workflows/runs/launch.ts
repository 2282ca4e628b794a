// Launches runs of workflows, and repeats earlier ones from some nodes.

import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import type { WorkflowLaunch } from '#shared/api/workflows.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { fail } from '../../../lib/errors.ts';
import { requireSound, requireWorkflow } from '../definitions/workflows.ts';
import { applyRunEvent } from './advance.ts';
import { createRun, type NewRun, MAX_NESTED } from './create-run.ts';
import { openRunValues, openAnswers } from './node-values.ts';
import { listNodes, updateNode, type NodeRow, insertDecision } from './nodes.store.ts';
import { requireRunRow, getRun } from './get-runs.ts';
import { sealInto } from '../../../vault/sealed-texts.ts';
import { sealedColumns } from '../../../vault/sealed-columns.ts';
import type { RunRow } from './runs.store.ts';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import { nodesAfter, nodesBefore } from '../engine/engine.ts';

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

/** Copies the outcome of a node of an earlier run into the row of the same node of a new run. */
async function keepNode(
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

/** The keys of the approvals before these nodes. */
function approvalsBefore(graph: WorkflowGraph, keys: Iterable<string>): Set<string> {
  const before = nodesBefore(graph, keys);
  const found = graph.nodes.filter(({ key, type }) => type === 'approval' && before.has(key));
  return new Set(found.map(({ key }) => key));
}

/**
 * The keys of these nodes and of all that follow, with the approvals before them and the nodes between:
 * if these were kept, the nodes behind them could begin without the approval. An approval is valid for one
 * execution of the nodes behind it.
 */
export function decidedAgain(graph: WorkflowGraph, again: string[]): Set<string> {
  const repeated = new Set([...again, ...nodesAfter(graph, again)]);
  const approvals = approvalsBefore(graph, repeated);
  const before = nodesBefore(graph, repeated);
  const between = [...nodesAfter(graph, approvals)].filter((key) => before.has(key));
  return new Set([...repeated, ...approvals, ...between]);
}

/** The graph of an earlier run with the current approvals; refuses if it lacks one of them. */
export function withApprovalsOf(
  today: WorkflowGraph,
  earlier: WorkflowGraph,
  decided: ReadonlySet<string>,
): WorkflowGraph {
  const known = approvalsBefore(earlier, decided);
  const wanted = approvalsBefore(today, decided);
  const added = today.nodes.find(({ key }) => wanted.has(key) && !known.has(key));
  if (added) throw fail('workflow_run.approval_added', { node: added.name });
  const current = new Map(today.nodes.map((node) => [node.key, node]));
  return {
    ...earlier,
    nodes: earlier.nodes.map((node) => {
      const now = current.get(node.key);
      // Later nodes of the earlier graph use the answers to its fields.
      return node.type === 'approval' && now?.type === 'approval'
        ? { ...now, fields: node.fields }
        : node;
    }),
  };
}

const MAX_RUNS = 200;

/** Counts the runs of nested workflows too, which multiply with each level and may all begin at once. */
export async function refuseManyRuns(
  ctx: Context,
  projectId: number,
  graph: WorkflowGraph,
): Promise<void> {
  const known = new Map<string, number>();
  const count = async (of: WorkflowGraph, depth: number): Promise<number> => {
    let runs = 1;
    for (const node of of.nodes) {
      if (node.type === 'workflow') runs += await countOf(node.workflow_id, depth + 1);
      if (runs > MAX_RUNS) break;
    }
    return runs;
  };
  const countOf = async (id: number, depth: number): Promise<number> => {
    // Workflows that are nested deeper are not launched.
    if (depth > MAX_NESTED) return 0;
    const key = `${id} ${depth}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const { graph: nested } = await requireWorkflow(ctx, projectId, id);
    const runs = await count(nested, depth);
    known.set(key, runs);
    return runs;
  };
  if ((await count(graph, 0)) > MAX_RUNS) throw fail('workflow.too_many_runs', { limit: MAX_RUNS });
}
