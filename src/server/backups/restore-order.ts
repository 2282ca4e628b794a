// Topological order: each build before its deploys.

import type { Item } from './deep-partial.ts';
import type { Problems } from './problems.ts';

type Template = Item<'templates'>;

// The limit of nested deploys.
const MAX_DEPTH = 50;

/** Cycles and chains that are too long are reported as problems. */
export function orderTemplates(templates: Template[], problems: Problems): Template[] {
  const byName = new Map(templates.map((one) => [one.given.name?.trim(), one]));
  const buildOf = ({ given }: Template): Template | undefined =>
    given.type === 'deploy' ? byName.get(given.build_template?.trim()) : undefined;
  const depthOf = (template: Template): number => {
    const way = new Set([template]);
    for (let next = buildOf(template); next; next = buildOf(next)) {
      const path = `${template.path}.build_template`;
      if (way.has(next)) {
        problems.add(path, 'template.build_template_wrong');
        return 0;
      }
      if (way.size > MAX_DEPTH) {
        problems.add(path, 'restore.chain_too_long', { max: MAX_DEPTH });
        return 0;
      }
      way.add(next);
    }
    return way.size;
  };
  const depths = new Map(templates.map((one) => [one, depthOf(one)]));
  return templates.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
}

// Topological order: each workflow after those that are nodes of it.

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
