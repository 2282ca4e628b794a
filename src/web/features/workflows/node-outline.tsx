import type { ReactNode } from 'react';
import { IconClock, IconHandStop, IconPlaylist, IconSitemap } from '@tabler/icons-react';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../lib/i18n.ts';

interface Props {
  graph: WorkflowGraph;
  /** The content at the end of the line of a node. */
  renderState?: (node: WorkflowNode) => ReactNode;
  /** The content below that line. */
  renderMore?: (node: WorkflowNode) => ReactNode;
}

/** The nodes of a graph in their order, each with its predecessors. */
export function NodeOutline({ graph, renderState, renderMore }: Props) {
  const afterWords = useAfterWords(graph);
  return (
    <ol aria-label={t('workflow.nodes')}>
      {graph.nodes.map((node) => (
        <li key={node.key} className="border-bottom" style={{ padding: '10px 0' }}>
          <div className="row wrap" style={{ gap: '8px 12px' }}>
            <span className="inline-flex soft" title={t(`workflow.type.${node.type}`)}>
              <NodeIcon type={node.type} />
            </span>
            <span className="column min-w-0" style={{ flex: '1 1 200px' }}>
              <span className="weight-550 break" title={node.name}>
                {node.name}
              </span>
              <span className="smaller soft break">{afterWords(node)}</span>
            </span>
            {renderState && (
              <span className="row wrap" style={{ gap: '6px 12px' }}>
                {renderState(node)}
              </span>
            )}
          </div>
          {renderMore?.(node)}
        </li>
      ))}
    </ol>
  );
}

const icons = {
  template: IconPlaylist,
  approval: IconHandStop,
  wait: IconClock,
  workflow: IconSitemap,
} as const satisfies Record<WorkflowNode['type'], typeof IconClock>;

export function NodeIcon({ type, size = 16 }: { type: WorkflowNode['type']; size?: number }) {
  const Icon = icons[type];
  return <Icon size={size} aria-hidden="true" />;
}

/** Returns a function that describes when a node begins. */
function useAfterWords({ nodes, edges }: WorkflowGraph): (node: WorkflowNode) => string {
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
