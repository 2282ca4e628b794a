import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import {
  edgeConditions,
  nodeTypes,
  type WorkflowEdge,
  type WorkflowGraph,
  type WorkflowNode,
} from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { Select } from '../../../ui/forms/select.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import {
  LazyDrawing,
  useGraphView,
  type ViewAddress,
  ViewChoice,
} from '../drawing/view-choice.tsx';
import { errorsByNode, type NodeError } from './draft-errors.ts';
import {
  newNode,
  withEdge,
  withNode,
  withoutEdge,
  withoutNode,
  withPlace,
  withPlacesForgotten,
} from './edits.ts';
import { NodeErrors, NodeList } from './node-list.tsx';
import type { NodeFieldsContext, NodeParts } from './fields-props.ts';
import type { EditedDraft } from './use-draft.ts';
import { NodeForm } from './node-form.tsx';
import classes from './editor.module.css';

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

interface DrawnEditorProps extends NodeFieldsContext {
  errors: ReadonlyMap<string, NodeError[]>;
  /** The key of the selected node, or of the selected edge. */
  open: string | null;
  onOpen: (key: string | null) => void;
}

/** The graph as a picture, with the form of the selection beside it. */
function DrawnEditor({ errors, open, onOpen, ...place }: DrawnEditorProps) {
  const { graph, onGraph } = place;
  if (graph.nodes.length === 0) return null;
  return (
    <div className={`grid items-start one-column gap-16 ${classes.drawn}`}>
      <Suspense fallback={<Skeleton />}>
        <LazyDrawing
          graph={graph}
          chosen={open}
          actionOf={({ key }) =>
            () =>
              onOpen(key)
            }
          isWrong={({ key }) => errors.has(key)}
          editing={{
            onMoved: (key, at) => onGraph(withPlace(graph, key, at)),
            onConnected: (from, to) => {
              onGraph(withEdge(graph, from, to, 'success'));
              onOpen(edgeKey({ from, to }));
            },
            onEdge: (edge) => onOpen(edgeKey(edge)),
            onArrange: () => onGraph(withPlacesForgotten(graph)),
          }}
        />
      </Suspense>
      <Chosen {...place} errors={errors} open={open} onOpen={onOpen} />
    </div>
  );
}

const edgeKey = ({ from, to }: Pick<WorkflowEdge, 'from' | 'to'>): string => `${from} ${to}`;

function Chosen({ errors, open, onOpen, ...place }: DrawnEditorProps) {
  const { graph, onGraph } = place;
  const node = graph.nodes.find(({ key }) => key === open);
  const edge = graph.edges.find((one) => edgeKey(one) === open);
  if (edge) return <EdgeForm graph={graph} onGraph={onGraph} edge={edge} />;
  if (!node) return <p className="soft">{hintOf(graph)}</p>;
  const wrong = errors.get(node.key) ?? [];
  return (
    <div className={`bg-raised border rounded-8 ${classes.form}`}>
      <NodeErrors errors={wrong} />
      <NodeForm key={node.key} {...place} node={node} errors={wrong} />
      <div className="pt-14">
        <Button
          variant="light"
          color="danger"
          size="compact-sm"
          leftSection={<IconTrash size={14} />}
          onClick={() => {
            onGraph(withoutNode(graph, node.key));
            onOpen(null);
          }}
        >
          {t('common.delete_label', { name: node.name })}
        </Button>
      </div>
    </div>
  );
}

const hintOf = ({ nodes }: WorkflowGraph): string =>
  nodes.length > 1
    ? `${t('workflow.editor.choose')} ${t('workflow.drawing.hint')}`
    : t('workflow.editor.choose');

interface EdgeProps extends Pick<NodeFieldsContext, 'graph' | 'onGraph'> {
  edge: WorkflowEdge;
}

function EdgeForm({ graph, onGraph, edge: { from, to, when } }: EdgeProps) {
  const nameOf = (key: string) => graph.nodes.find((one) => one.key === key)?.name ?? key;
  const name = nameOf(from);
  return (
    <div className={`bg-raised border rounded-8 ${classes.form}`}>
      <div className="column gap-14">
        <p className="weight-550 break">
          {t('workflow.drawing.edge', { from: name, to: nameOf(to) })}
        </p>
        <Select
          label={t('workflow.editor.edge.when')}
          allowDeselect={false}
          data={edgeConditions.map((value) => ({
            value,
            label: t(`workflow.editor.edge.${value}`),
          }))}
          value={when}
          onChange={(next) => next !== null && onGraph(withEdge(graph, from, to, next))}
        />
        <Button
          variant="light"
          color="danger"
          size="compact-sm"
          leftSection={<IconTrash size={14} />}
          onClick={() => onGraph(withoutEdge(graph, from, to))}
        >
          {t('workflow.editor.edge.remove', { name })}
        </Button>
      </div>
    </div>
  );
}
