import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { nodeTypes, type WorkflowGraph, type WorkflowNode } from '#shared/workflows/graph.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { errorsByNode } from './draft-errors.ts';
import { newNode, withNode } from './edits.ts';
import classes from './editor.module.css';
import { NodeList } from './node-list.tsx';
import type { NodeParts } from './node-form.tsx';
import type { EditedDraft } from './use-draft.ts';

interface Props extends NodeParts {
  projectId: number;
  workflowId: number | null;
  edited: EditedDraft;
}

/** The graph of an edited workflow. */
export function GraphEditor({ edited, ...place }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string | null>(null);
  const { draft, errors, change } = edited;
  const { graph } = draft;
  const onGraph = (next: WorkflowGraph, about: string | null = null) =>
    change({ ...draft, graph: next }, about);
  const add = (type: WorkflowNode['type']) => {
    const node = newNode(graph, type, t(`workflow.type.${type}`));
    onGraph(withNode(graph, node, graph.nodes.at(-1)?.key ?? null));
    setOpen(node.key);
  };
  return (
    <section className={classes.graph} aria-label={t('workflow.nodes')}>
      <AddButtons onAdd={add} />
      {graph.nodes.length === 0 && (
        <p className={errors['graph.nodes'] && open !== null ? classes.wrong : 'soft'}>
          {t('workflow.editor.empty')}
        </p>
      )}
      <NodeList
        {...place}
        graph={graph}
        onGraph={onGraph}
        errors={errorsByNode(draft, errors)}
        open={open}
        onOpen={setOpen}
      />
    </section>
  );
}

function AddButtons({ onAdd }: { onAdd: (type: WorkflowNode['type']) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.add} role="group" aria-label={t('workflow.editor.add')}>
      <span className="soft">{t('workflow.editor.add')}</span>
      {nodeTypes.map((type) => (
        <Button
          key={type}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => onAdd(type)}
        >
          {t(`workflow.type.${type}`)}
        </Button>
      ))}
    </div>
  );
}
