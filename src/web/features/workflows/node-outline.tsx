import type { ReactNode } from 'react';
import type { WorkflowGraph, WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../lib/i18n.ts';
import { NodeIcon } from './node-icon.tsx';
import classes from './node-outline.module.css';
import { useAfterWords } from './use-after-words.ts';

interface Props {
  graph: WorkflowGraph;
  /** What stands at the end of the line of a node. */
  renderState?: (node: WorkflowNode) => ReactNode;
  /** What stands below that line. */
  renderMore?: (node: WorkflowNode) => ReactNode;
}

/** The nodes of a graph in their order, each with what it comes after. */
export function NodeOutline({ graph, renderState, renderMore }: Props) {
  const afterWords = useAfterWords(graph);
  return (
    <ol className={classes.list} aria-label={t('workflow.nodes')}>
      {graph.nodes.map((node) => (
        <li key={node.key} className={classes.node}>
          <div className={classes.line}>
            <span className={classes.icon} title={t(`workflow.type.${node.type}`)}>
              <NodeIcon type={node.type} />
            </span>
            <span className={classes.words}>
              <span className={classes.name} title={node.name}>
                {node.name}
              </span>
              <span className={classes.after}>{afterWords(node)}</span>
            </span>
            {renderState && <span className={classes.state}>{renderState(node)}</span>}
          </div>
          {renderMore?.(node)}
        </li>
      ))}
    </ol>
  );
}
