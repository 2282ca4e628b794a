import type { ReactNode } from 'react';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../lib/i18n.ts';
import { NodeIcon } from './node-icon.tsx';
import { useAfterWords } from './use-after-words.ts';

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
