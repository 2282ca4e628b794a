import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { nodeTypes, type WorkflowGraph, type WorkflowNode } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { useGraphView, type ViewAddress, ViewChoice } from '../drawing/view-choice.tsx';
import { DrawnEditor } from './drawn-editor.tsx';
import { errorsByNode } from './draft-errors.ts';
import { newNode, withNode } from './edits.ts';
import { NodeList } from './node-list.tsx';
import type { NodeParts } from './fields-props.ts';
import type { EditedDraft } from './use-draft.ts';

interface Props extends NodeParts {
  projectId: number;
  workflowId: number | null;
  edited: EditedDraft;
  view: ViewAddress;
}

export function GraphEditor({ edited, view: address, ...place }: Props) {
  const view = useGraphView(address);
  const [open, setOpen] = useState<string | null>(null);
  const { draft, errors, change } = edited;
  const { graph } = draft;
  const onGraph = (next: WorkflowGraph, about: string | null = null) =>
    change({ ...draft, graph: next }, about);
  const add = (type: WorkflowNode['type']) => {
    const node = newNode(graph, type, t(`workflow.type.${type}`));
    const before = graph.nodes.find(({ key }) => key === open) ?? graph.nodes.at(-1);
    onGraph(withNode(graph, node, before?.key ?? null));
    setOpen(node.key);
  };
  const parts = {
    ...place,
    graph,
    onGraph,
    errors: errorsByNode(draft, errors),
    open,
    onOpen: setOpen,
  };
  return (
    <section className="column gap-12 min-w-0" aria-label={t('workflow.nodes')}>
      <div className="row wrap between gap-8-16">
        <AddButtons onAdd={add} />
        <ViewChoice address={address} />
      </div>
      {graph.nodes.length === 0 && (
        <p className={errors['graph.nodes'] && open !== null ? 'color-danger' : 'soft'}>
          {t('workflow.editor.empty')}
        </p>
      )}
      {view === 'graph' ? <DrawnEditor {...parts} /> : <NodeList {...parts} />}
    </section>
  );
}

function AddButtons({ onAdd }: { onAdd: (type: WorkflowNode['type']) => void }) {
  return (
    <fieldset className="row wrap gap-8" aria-label={t('workflow.editor.add')}>
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
    </fieldset>
  );
}
