// Sorts workflows so that each one comes after those among its nodes, in whatever order the backup has them.

import type { Item } from './deep-partial.ts';
import type { Problems } from './problems.ts';

type Workflow = Item<'workflows'>;

/** Sorts the workflows; a node that leads back to its own workflow is reported as a problem. */
export function orderWorkflows(workflows: Workflow[], problems: Problems): Workflow[] {
  const byName = new Map(workflows.map((one) => [one.given.name?.trim(), one]));
  const ordered = new Set<Workflow>();
  // Those whose nested workflows are being ordered.
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
  /** The name of the node. */
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
