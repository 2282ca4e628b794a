import type { WorkflowGraph } from './graph.ts';

/** A graph from a row, in which newer launch options of nodes may be absent. */
export const completeGraph = (stored: WorkflowGraph): WorkflowGraph => ({
  ...stored,
  nodes: stored.nodes.map((node) =>
    node.type === 'template' && node.params
      ? { ...node, params: { ...newerOptions, ...node.params } }
      : node,
  ),
});

const newerOptions = { execution_environment_id: null };
