// Topological order: each workflow after those that are nodes of it.

import type { Item } from './deep-partial.ts';
import type { Problems } from './problems.ts';

type Workflow = Item<'workflows'>;

/** Cycles are reported as problems. */
export function orderWorkflows(workflows: Workflow[], problems: Problems): Workflow[] {
  const byName = new Map(workflows.map((one) => [one.given.name?.trim(), one]));
  const ordered = new Set<Workflow>();
  // On the current path of the depth-first search.
  const open = new Set<Workflow>();
  const add = (workflow: Workflow): void => {
    open.add(workflow);
    for (const { nested, node, path } of nestedIn(workflow, byName)) {
      if (open.has(nested)) problems.add(path, 'workflow.nested_circle', { node });
      else if (!ordered.has(nested)) add(nested);
    }
    open.delete(workflow);
    ordered.add(workflow);
  };
  for (const workflow of workflows) if (!ordered.has(workflow)) add(workflow);
  return [...ordered];
}

interface Nested {
  nested: Workflow;
  node: string;
  path: string;
}

function nestedIn(
  { path, given }: Workflow,
  byName: ReadonlyMap<string | undefined, Workflow>,
): Nested[] {
  return (given.graph?.nodes ?? []).flatMap((node, index) => {
    if (node.type !== 'workflow') return [];
    const nested = byName.get(node.workflow?.trim());
    if (node.workflow === undefined || !nested) return [];
    return [{ nested, node: node.name ?? '', path: `${path}.graph.nodes.${index}.workflow` }];
  });
}
