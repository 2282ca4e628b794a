// Finds edges that would cross nodes, and routes them beside these nodes. Pure functions.

import type { WorkflowEdge } from '#shared/workflows/graph.ts';
import { nodeSize, type Point } from './layout.ts';

// Pixels: the labels of edges fit beside the nodes with half of their width, and beside another
// detour with all of it.
const fromNodes = 56;
const fromOthers = 100;
/** The height of the bends of a line. */
const bend = 56;

/** The centers of the lower and the upper side of a node. */
const below = ({ x, y }: Point): Point => ({ x: x + nodeSize.width / 2, y: y + nodeSize.height });
const above = ({ x, y }: Point): Point => ({ x: x + nodeSize.width / 2, y });

/**
 * The x positions of the detours of edges that would cross nodes; in the order of the edges, null
 * for those without detour.
 */
export function detoursOf(
  edges: readonly WorkflowEdge[],
  places: ReadonlyMap<string, Point>,
): (number | null)[] {
  const used: { x: number; top: number; bottom: number }[] = [];
  return edges.map(({ from, to }) => {
    const [start, end] = [places.get(from), places.get(to)];
    if (!start || !end) return null;
    const [first, last] = [below(start), above(end)];
    const others = [...places].filter(([key]) => key !== from && key !== to);
    const between = others.map(([, place]) => place).filter((one) => isBetween(one, first, last));
    if (!between.some((place) => runsOver(place, first, last))) return null;
    let x = Math.max(...between.map((place) => place.x)) + nodeSize.width + fromNodes;
    const [top, bottom] = [first.y, last.y];
    for (const other of used.toSorted((one, two) => one.x - two.x)) {
      const isBeside = other.top < bottom && top < other.bottom;
      if (isBeside && Math.abs(other.x - x) < fromOthers) x = other.x + fromOthers;
    }
    used.push({ x, top, bottom });
    return x;
  });
}

/** The options of `fitView`, with margins for the detours. */
export function fitOf(hasDetour: boolean) {
  const right = hasDetour ? (`${2 * fromNodes}px` as const) : 0.1;
  return { maxZoom: 1, padding: { x: 0.1, y: 0.1, right } };
}

const isBetween = ({ y }: Point, first: Point, last: Point): boolean =>
  y < last.y && y + nodeSize.height > first.y;

const samples = Array.from({ length: 24 }, (_, index) => (index + 1) / 25);

/** Whether the default curve between two points crosses a node. */
const runsOver = (place: Point, first: Point, last: Point): boolean =>
  samples.some((at) => {
    const x = first.x + (last.x - first.x) * at * at * (3 - 2 * at);
    const half = (last.y - first.y) / 2;
    const rest = 1 - at;
    const y =
      first.y * rest ** 3 +
      3 * (first.y + half) * rest ** 2 * at +
      3 * (last.y - half) * rest * at ** 2 +
      last.y * at ** 3;
    const isInside = (value: number, from: number, size: number): boolean =>
      value > from - 4 && value < from + size + 4;
    return isInside(x, place.x, nodeSize.width) && isInside(y, place.y, nodeSize.height);
  });

/** The path of a detour, and its middle. */
export function detourPath(first: Point, last: Point, x: number): [path: string, middle: Point] {
  const reach = Math.min(bend, (last.y - first.y) / 2);
  const [top, bottom] = [first.y + reach, last.y - reach];
  const path = [
    `M${first.x},${first.y}`,
    `C${first.x},${top} ${x},${first.y} ${x},${top}`,
    `L${x},${bottom}`,
    `C${x},${last.y} ${last.x},${bottom} ${last.x},${last.y}`,
  ].join(' ');
  return [path, { x, y: (top + bottom) / 2 }];
}
