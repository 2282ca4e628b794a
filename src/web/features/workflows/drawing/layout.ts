// Finds a place for each node of a graph: in levels by its distance from the start, and within a
// level near the nodes before it. Pure functions.

import type { WorkflowGraph } from '#shared/workflows/graph.ts';

export const nodeSize = { width: 224, height: 64 };
const gap = { x: 36, y: 64 };

export interface Point {
  x: number;
  y: number;
}

/** The places of all nodes by their keys, as if none had been moved by hand. */
export function arranged({ nodes, edges }: WorkflowGraph): Map<string, Point> {
  const depths = depthsOf({ nodes, edges });
  const columns = new Map<string, number>();
  const taken = new Map<number, number[]>();
  const byDepth = nodes.toSorted((one, other) => depthOf(depths, one) - depthOf(depths, other));
  for (const { key } of byDepth) {
    const level = taken.get(depths.get(key) ?? 0) ?? [];
    const before = edges.flatMap(({ from, to }) => (to === key ? (columns.get(from) ?? []) : []));
    const wanted = before.length > 0 ? before.reduce((sum, one) => sum + one) / before.length : 0;
    const column = freeColumn(level, wanted);
    columns.set(key, column);
    taken.set(depths.get(key) ?? 0, [...level, column]);
  }
  return new Map(
    nodes.map(({ key }) => [
      key,
      {
        x: (columns.get(key) ?? 0) * (nodeSize.width + gap.x),
        y: (depths.get(key) ?? 0) * (nodeSize.height + gap.y),
      },
    ]),
  );
}

/** The places of all nodes: those that somebody chose, and for the others what the layout finds. */
export function placesOf(graph: WorkflowGraph): Map<string, Point> {
  const found = arranged(graph);
  for (const { key, position } of graph.nodes) if (position) found.set(key, position);
  return found;
}

const depthOf = (depths: ReadonlyMap<string, number>, { key }: { key: string }): number =>
  depths.get(key) ?? 0;

/** The longest way to each node. A circle, which is refused, ends after as many steps as nodes. */
function depthsOf({ nodes, edges }: WorkflowGraph): Map<string, number> {
  const depths = new Map(nodes.map(({ key }) => [key, 0]));
  for (let step = 1; step < nodes.length; step += 1) {
    let isStable = true;
    for (const { from, to } of edges) {
      const depth = Math.min((depths.get(from) ?? 0) + 1, nodes.length - 1);
      if (!depths.has(to) || depth <= (depths.get(to) ?? 0)) continue;
      depths.set(to, depth);
      isStable = false;
    }
    if (isStable) break;
  }
  return depths;
}

/** The first column from the wanted one on that is at least one away from all others. */
function freeColumn(taken: readonly number[], wanted: number): number {
  let column = wanted;
  for (const other of taken.toSorted((one, two) => one - two)) {
    if (Math.abs(other - column) < 1) column = other + 1;
  }
  return column;
}

// The height of the picture of few nodes and of many, in pixels.
const heights = { least: 260, most: 900 };
const margin = 36;

/** The height at which all nodes are shown in their own size, within limits. */
export function heightOf(places: Iterable<Point>): number {
  const tops = [...places].map(({ y }) => y);
  const height = Math.max(...tops) - Math.min(...tops) + nodeSize.height + 2 * margin;
  return Math.min(Math.max(height, heights.least), heights.most);
}
