import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  type FitViewOptions,
  getBezierPath,
  type NodeChange,
  Panel,
  ReactFlow,
  type ReactFlowProps,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo, useState } from 'react';
import {
  IconArrowsMaximize,
  IconLayoutDistributeVertical,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import type {
  EdgeCondition,
  WorkflowEdge,
  WorkflowGraph,
  WorkflowNode,
} from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import type { ShownState } from '../run-words.ts';
import { detourPath, detoursOf, fitOf } from './detour.ts';
import { heightOf, nodeSize, placesOf, type Point } from './layout.ts';
import { type CardNode, NodeCard } from './node-card.tsx';
import classes from './drawing.module.css';

/** The result of a node in a run. */
interface Happened {
  state: ShownState;
  isDryRun: boolean;
  /** A success that ran on no host. */
  isWithoutHosts: boolean;
  begin: string | null;
  end: string | null;
}

interface Props {
  graph: WorkflowGraph;
  /** The key of the selected node, or of the selected edge. */
  chosen?: string | null;
  /** The click handler of a node; undefined for none. */
  actionOf?: (node: WorkflowNode) => (() => void) | undefined;
  /** Missing in the editor. */
  happenedTo?: (node: WorkflowNode) => Happened | undefined;
  /** Whether a run followed an edge; missing in the editor. */
  isTaken?: (edge: WorkflowEdge) => boolean;
  isWrong?: (node: WorkflowNode) => boolean;
  editing?: {
    onMoved: (key: string, place: Point) => void;
    onConnected: (from: string, to: string) => void;
    onEdge: (edge: WorkflowEdge) => void;
    onArrange: () => void;
  };
}

const nodeTypes = { card: NodeCard };
const edgeTypes = { condition: ConditionEdge };

/** The key of an edge for `chosen`. */
const edgeKey = ({ from, to }: Pick<WorkflowEdge, 'from' | 'to'>): string => `${from} ${to}`;

/** A graph as a picture, in the editor or of a run. */
export function GraphDrawing(props: Props) {
  const { graph, editing } = props;
  const [dragged, setDragged] = useState<{ key: string; place: Point } | null>(null);
  const places = useMemo(() => placesOf(graph), [graph]);
  const cards = graph.nodes.map((node): CardNode => {
    const place = dragged?.key === node.key ? dragged.place : places.get(node.key);
    return { ...cardOf(node, props), position: place ?? { x: 0, y: 0 } };
  });
  const detours = useMemo(() => detoursOf(graph.edges, places), [graph, places]);
  const hasDetour = detours.some((one) => one !== null);
  // The view is fitted again when this changes, and not with each change of the graph.
  const fit = useMemo(() => fitOf(hasDetour), [hasDetour]);
  const edges = graph.edges.map((edge, index) => lineOf(edge, detours[index] ?? null, props));
  const onNodesChange = (changes: NodeChange<CardNode>[]) => {
    for (const change of changes) {
      if (change.type === 'position' && change.position && change.dragging) {
        setDragged({ key: change.id, place: change.position });
      }
    }
  };
  return (
    <section
      className={`bg-sunken border rounded-8 ${classes.canvas}`}
      style={{ height: heightOf(places.values()) }}
      aria-label={t('workflow.drawing.label')}
    >
      <ReactFlow<CardNode>
        nodes={cards}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onNodeDragStop={(_, { id, position }) => {
          setDragged(null);
          if (dragged) editing?.onMoved(id, position);
        }}
        onConnect={({ source, target }) => editing?.onConnected(source, target)}
        nodesDraggable={editing !== undefined}
        nodesConnectable={editing !== undefined}
        fitViewOptions={fit}
        {...still}
      >
        <DrawingControls
          count={graph.nodes.length}
          fit={fit}
          {...(editing ? { onArrange: editing.onArrange } : {})}
        />
      </ReactFlow>
    </section>
  );
}

// The cards and labels are buttons, so the keys of React Flow are off. The wheel scrolls the page,
// and zooms with Control.
const still: ReactFlowProps<CardNode> = {
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  zoomOnScroll: false,
  preventScrolling: false,
  zoomOnDoubleClick: false,
  minZoom: 0.2,
  maxZoom: 1.5,
  fitView: true,
  proOptions: { hideAttribution: true },
};

function cardOf(node: WorkflowNode, props: Props): Omit<CardNode, 'position'> {
  const { chosen, actionOf, happenedTo, isWrong, editing } = props;
  return {
    id: node.key,
    type: 'card',
    ...nodeSize,
    measured: nodeSize,
    data: {
      node,
      happened: happenedTo?.(node),
      isChosen: chosen === node.key,
      isWrong: isWrong?.(node) ?? false,
      isEdited: editing !== undefined,
      onChoose: actionOf?.(node),
    },
  };
}

function lineOf(
  edge: WorkflowEdge,
  detour: number | null,
  { graph, chosen, isTaken, editing }: Props,
): Edge {
  const names = new Map(graph.nodes.map(({ key, name }) => [key, name]));
  const id = edgeKey(edge);
  const data = {
    when: edge.when,
    from: names.get(edge.from) ?? edge.from,
    to: names.get(edge.to) ?? edge.to,
    isChosen: chosen === id,
    detour,
    isTaken: isTaken?.(edge),
    onChoose: editing && (() => editing.onEdge(edge)),
  };
  return { id, type: 'condition', source: edge.from, target: edge.to, data };
}

interface DrawingControlsProps {
  /** The number of nodes; a change fits the view again. */
  count: number;
  fit: FitViewOptions;
  /** Missing where the graph is read-only. */
  onArrange?: () => void;
}

function DrawingControls({ count, fit, onArrange }: DrawingControlsProps) {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a further node needs room
  useEffect(() => void fitView(fit), [count, fit, fitView]);
  return (
    <Panel position="top-right" className="flex gap-2 bg-raised border rounded-8">
      <IconButton
        label={t('workflow.drawing.zoom_in')}
        icon={<IconZoomIn size={18} />}
        onClick={() => void zoomIn()}
      />
      <IconButton
        label={t('workflow.drawing.zoom_out')}
        icon={<IconZoomOut size={18} />}
        onClick={() => void zoomOut()}
      />
      <IconButton
        label={t('workflow.drawing.fit')}
        icon={<IconArrowsMaximize size={18} />}
        onClick={() => void fitView(fit)}
      />
      {onArrange && (
        <IconButton
          label={t('workflow.drawing.arrange')}
          icon={<IconLayoutDistributeVertical size={18} />}
          onClick={onArrange}
        />
      )}
    </Panel>
  );
}

type LineEdge = Edge<{
  when: EdgeCondition;
  /** The names of the nodes at both ends. */
  from: string;
  to: string;
  isChosen: boolean;
  /** The x position of the detour beside nodes; null for a straight way. */
  detour: number | null;
  /** Whether a run followed the edge; undefined in the editor. */
  isTaken: boolean | undefined;
  /** Missing in a run. */
  onChoose: (() => void) | undefined;
}>;

type Ends = Pick<EdgeProps, 'sourceX' | 'sourceY' | 'targetX' | 'targetY'>;

/** The path of an edge, and the position of its label. */
function pathOf(ends: Ends, detour: number | null): [path: string, middle: Point] {
  if (detour === null) {
    const [path, x, y] = getBezierPath(ends);
    return [path, { x, y }];
  }
  const { sourceX, sourceY, targetX, targetY } = ends;
  return detourPath({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, detour);
}

function ConditionEdge({ id, data, ...ends }: EdgeProps<LineEdge>) {
  if (!data) return null;
  const [path, { x, y }] = pathOf(ends, data.detour);
  const { when, from, to, isChosen, isTaken, onChoose } = data;
  const words = t(`workflow.editor.edge.${when}`);
  const place = { transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` };
  const look = { 'data-when': when, 'data-taken': isTaken, 'data-chosen': isChosen || undefined };
  return (
    <>
      <g className={classes.line} {...look}>
        <BaseEdge id={id} path={path} interactionWidth={0} />
      </g>
      <EdgeLabelRenderer>
        {onChoose ? (
          <button
            type="button"
            className={`nodrag nopan ${classes.label}`}
            style={place}
            {...look}
            aria-label={`${t('workflow.drawing.edge', { from, to })}: ${words}`}
            aria-pressed={isChosen}
            onClick={onChoose}
          >
            {words}
          </button>
        ) : (
          <span className={classes.label} style={place} {...look}>
            {words}
          </span>
        )}
      </EdgeLabelRenderer>
    </>
  );
}
