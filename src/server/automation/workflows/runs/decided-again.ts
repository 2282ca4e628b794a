// Which nodes are decided again when a run is repeated from some nodes. An approval is valid for one
// execution of the nodes behind it, so it is requested again, by the current definition of the workflow.

import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import { fail } from '../../../lib/errors.ts';
import { nodesAfter, nodesBefore } from '../engine/engine.ts';

/** The keys of the approvals before these nodes. */
function approvalsBefore(graph: WorkflowGraph, keys: Iterable<string>): Set<string> {
  const before = nodesBefore(graph, keys);
  const found = graph.nodes.filter(({ key, type }) => type === 'approval' && before.has(key));
  return new Set(found.map(({ key }) => key));
}

/**
 * The keys of these nodes and of all that follow, with the approvals before them and the nodes between:
 * if these were kept, the nodes behind them could begin without the approval.
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
