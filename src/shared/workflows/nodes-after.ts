import type { WorkflowGraph } from './graph.ts';

type Graph = Pick<WorkflowGraph, 'nodes' | 'edges'>;

/** The nodes that follow a node that ends well. */
export function nodesAfter({ nodes, edges }: Graph, key: string): WorkflowGraph['nodes'] {
  const after = new Set(
    edges.filter(({ from, when }) => from === key && when !== 'failure').map(({ to }) => to),
  );
  return nodes.filter((node) => after.has(node.key));
}
