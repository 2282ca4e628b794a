import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import type { WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { NodeOutline } from '../node-outline.tsx';
import type { NodeError } from './draft-errors.ts';
import { withMoved, withoutNode } from './edits.ts';
import classes from './editor.module.css';
import type { NodeFieldsContext } from './fields-props.ts';
import { NodeForm } from './node-form.tsx';

interface Props extends NodeFieldsContext {
  errors: ReadonlyMap<string, NodeError[]>;
  /** The key of the node whose form is open. */
  open: string | null;
  onOpen: (key: string | null) => void;
}

export function NodeList({ errors, open, onOpen, ...place }: Props) {
  if (place.graph.nodes.length === 0) return null;
  return (
    <NodeOutline
      graph={place.graph}
      renderState={(node) => (
        <NodeButtons {...place} node={node} isOpen={open === node.key} onOpen={onOpen} />
      )}
      renderMore={(node) => {
        const wrong = errors.get(node.key) ?? [];
        return (
          <>
            <NodeErrors errors={wrong} />
            {open === node.key && (
              <div className={`bg-raised border rounded-8 ${classes.form}`}>
                <NodeForm key={node.key} {...place} node={node} errors={wrong} />
              </div>
            )}
          </>
        );
      }}
    />
  );
}

export function NodeErrors({ errors }: { errors: NodeError[] }) {
  if (errors.length === 0) return null;
  return (
    <ul className="small color-danger break" style={{ padding: '4px 0 0 28px' }}>
      {errors.map(({ path, words }) => (
        <li key={path}>{words}</li>
      ))}
    </ul>
  );
}

interface ButtonsProps extends Pick<NodeFieldsContext, 'graph' | 'onGraph'> {
  node: WorkflowNode;
  isOpen: boolean;
  onOpen: (key: string | null) => void;
}

function NodeButtons({ graph, onGraph, node, isOpen, onOpen }: ButtonsProps) {
  const { key, name } = node;
  return (
    <>
      <IconButton
        label={t('workflow.editor.up', { name })}
        icon={<IconArrowUp size={16} />}
        disabled={graph.nodes[0]?.key === key}
        onClick={() => onGraph(withMoved(graph, key, -1))}
      />
      <IconButton
        label={t('workflow.editor.down', { name })}
        icon={<IconArrowDown size={16} />}
        disabled={graph.nodes.at(-1)?.key === key}
        onClick={() => onGraph(withMoved(graph, key, 1))}
      />
      <IconButton
        label={t(isOpen ? 'workflow.editor.close_label' : 'common.edit_label', { name })}
        icon={isOpen ? <IconChevronDown size={16} /> : <IconPencil size={16} />}
        onClick={() => onOpen(isOpen ? null : key)}
      />
      <IconButton
        label={t('common.delete_label', { name })}
        icon={<IconTrash size={16} />}
        onClick={() => onGraph(withoutNode(graph, key))}
      />
    </>
  );
}
