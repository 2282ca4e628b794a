// Converts a workflow graph for a backup: names in place of ids.

import type { Backup } from '#shared/api/backups.ts';
import type { TaskParams } from '#shared/launch.ts';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';

type BackedUpGraph = Backup['workflows'][number]['graph'];
type BackedUpNode = BackedUpGraph['nodes'][number];

export interface NodeNames {
  template: (id: number) => string;
  workflow: (id: number) => string;
  /** Null if the inventory was deleted. */
  inventory: (id: number) => string | null;
  /** Null for a former member. */
  login: (id: number) => string | null;
}

export const nameNodes = (graph: WorkflowGraph, names: NodeNames): BackedUpGraph => ({
  ...graph,
  nodes: graph.nodes.map((node) => nameNode(node, names)),
});

function nameNode(node: WorkflowNode, names: NodeNames): BackedUpNode {
  switch (node.type) {
    case 'template': {
      const { template_id, params, ...rest } = node;
      const template = names.template(template_id);
      return { ...rest, template, params: params && nameInventory(params, names) };
    }
    case 'approval': {
      const { user_ids, ...rest } = node;
      return { ...rest, users: user_ids.flatMap((id) => names.login(id) ?? []) };
    }
    case 'workflow': {
      const { workflow_id, ...rest } = node;
      return { ...rest, workflow: names.workflow(workflow_id) };
    }
    case 'wait':
      return node;
  }
}

// The empty name makes a restore report this path.
const nameInventory = ({ inventory_id: id, ...params }: TaskParams, names: NodeNames) => ({
  ...params,
  inventory: id === null ? null : (names.inventory(id) ?? ''),
});
