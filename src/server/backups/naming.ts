// Replaces the ids in a backup by names.

import type { Backup } from '#shared/api/backups.ts';
import type { TaskParams } from '#shared/launch.ts';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';

export interface Named {
  id: number;
  name: string;
}

export interface Naming {
  (id: number): string;
  (id: number | null): string | null;
}

export function naming(list: Named[]): Naming {
  const names = new Map(list.map(({ id, name }) => [id, name]));
  return ((id: number | null) => {
    if (id === null) return null;
    const name = names.get(id);
    if (name === undefined) throw new Error(`a backup names ${id}, which is not in it`);
    return name;
  }) as Naming;
}

export type ChoiceNaming = (
  id: number | null,
) => Record<'execution_environment' | 'installation_environment', string | null>;

/** Tells those of the project from those of the installation, which may have the same names. */
export function namingChoice(list: (Named & { project_id: number | null })[]): ChoiceNaming {
  const all = naming(list);
  const shared = new Set(list.flatMap(({ id, project_id: owner }) => (owner === null ? id : [])));
  return (id) => {
    const isShared = id !== null && shared.has(id);
    return {
      execution_environment: isShared ? null : all(id),
      installation_environment: isShared ? all(id) : null,
    };
  };
}

// Sorted here and not by the database, so that both engines produce the same backup.
export const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
export const sorted = <T extends Named>(list: T[]): T[] =>
  list.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id);

export interface ParamsNaming {
  inventory: Naming;
  execution: ChoiceNaming;
}

export const namedParams = (params: TaskParams | null, { inventory, execution }: ParamsNaming) =>
  params && {
    ...params,
    inventory: inventory(params.inventory_id),
    ...execution(params.execution_environment_id),
  };

// Converts a workflow graph for a backup: names in place of ids.

type BackedUpGraph = Backup['workflows'][number]['graph'];
type BackedUpNode = BackedUpGraph['nodes'][number];

interface NodeNames {
  template: (id: number) => string;
  workflow: (id: number) => string;
  execution: ChoiceNaming;
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
      return { ...rest, template, params: params && nameParams(params, names) };
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
const nameParams = ({ inventory_id: id, ...params }: TaskParams, names: NodeNames) => ({
  ...params,
  ...names.execution(params.execution_environment_id),
  inventory: id === null ? null : (names.inventory(id) ?? ''),
});
