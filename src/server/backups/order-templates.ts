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
