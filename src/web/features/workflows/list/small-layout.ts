// The layout of the workflow page, turned and scaled to a small drawing that reads from left to
// right. Pure functions.

import { arranged, type GraphShape, type Point } from '../drawing/layout.ts';

export const DRAWING = { width: 60, height: 24 };
/** The size of a node in px. */
export const DOT = 6;

const MARGIN = DOT / 2 + 1;

interface SmallLayout {
  points: Map<string, Point>;
  lines: { key: string; from: Point; to: Point }[];
}

export function smallLayout(graph: GraphShape): SmallLayout {
  const places = [...arranged(graph)];
  const toX = scaleOf(
    places.map(([, { y }]) => y),
    DRAWING.width,
  );
  const toY = scaleOf(
    places.map(([, { x }]) => x),
    DRAWING.height,
  );
  const points = new Map(places.map(([key, { x, y }]) => [key, { x: toX(y), y: toY(x) }]));
  const lines = graph.edges.flatMap(({ from, to }) => {
    const [start, end] = [points.get(from), points.get(to)];
    return start && end ? [{ key: `${from} ${to}`, from: start, to: end }] : [];
  });
  return { points, lines };
}

/** Scales numbers to a size; equal ones are in its middle. */
function scaleOf(numbers: number[], size: number): (number: number) => number {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const room = size - 2 * MARGIN;
  return (number) => {
    const share = most === least ? 0.5 : (number - least) / (most - least);
    return Math.round((MARGIN + share * room) * 10) / 10;
  };
}
