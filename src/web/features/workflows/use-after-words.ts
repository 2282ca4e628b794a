import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../lib/i18n.ts';

/** Returns a function that describes when a node begins. */
export function useAfterWords({ nodes, edges }: WorkflowGraph): (node: WorkflowNode) => string {
  const names = new Map(nodes.map(({ key, name }) => [key, name]));
  return ({ key, join }) => {
    const before = edges.filter(({ to }) => to === key);
    if (before.length === 0) return t('workflow.editor.at_start');
    const parts = before.map(({ from, when }) =>
      t(`workflow.editor.after.${when}`, { node: names.get(from) ?? from }),
    );
    if (parts.length === 1) return parts[0] ?? '';
    return `${parts.join(' · ')} (${t(`workflow.editor.join.${join}`)})`;
  };
}
