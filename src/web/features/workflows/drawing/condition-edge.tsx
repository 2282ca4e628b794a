import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
} from '@xyflow/react';
import type { EdgeCondition } from '#shared/workflows/graph.ts';
import { t } from '../../../lib/i18n.ts';
import { detourPath } from './detour.ts';
import classes from './drawing.module.css';
import type { Point } from './layout.ts';

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

export function ConditionEdge({ id, data, ...ends }: EdgeProps<LineEdge>) {
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
