// Counts the runs that a launch of a workflow can begin, with those of nested workflows. They multiply with
// each level, and may all begin at once.

import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import type { Context } from '../../../context/context.ts';
import { fail } from '../../../lib/errors.ts';
import { requireWorkflow } from '../definitions/workflows.ts';
import { MAX_NESTED } from './create-run.ts';

const MAX_RUNS = 200;

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
