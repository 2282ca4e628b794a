// A layered layout: levels by the distance from the start, and within a level near the
// predecessors. Pure functions.

import type { WorkflowGraph } from '#shared/workflows/graph.ts';

export const nodeSize = { width: 224, height: 64 };
const gap = { x: 36, y: 64 };

export interface Point {
  x: number;
  y: number;
}

export interface GraphShape {
  nodes: { key: string }[];
  edges: { from: string; to: string }[];
}

/** The positions of all nodes by their keys, without those that users moved. */
export function arranged({ nodes, edges }: GraphShape): Map<string, Point> {
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

/** The positions of all nodes: the stored ones, and the layout's for the others. */
export function placesOf(graph: WorkflowGraph): Map<string, Point> {
  const found = arranged(graph);
  for (const { key, position } of graph.nodes) if (position) found.set(key, position);
  return found;
}

const depthOf = (depths: ReadonlyMap<string, number>, { key }: { key: string }): number =>
  depths.get(key) ?? 0;

/**
 * The longest path to each node. With a cycle, which is refused, it stops after as many steps as
 * nodes.
 */
function depthsOf({ nodes, edges }: GraphShape): Map<string, number> {
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

/** The first column from `wanted` on that is at least one away from all others. */
function freeColumn(taken: readonly number[], wanted: number): number {
  let column = wanted;
  for (const other of taken.toSorted((one, two) => one - two)) {
    if (Math.abs(other - column) < 1) column = other + 1;
  }
  return column;
}

// Limits of the height of the picture, in pixels.
const heights = { least: 260, most: 900 };
const margin = 36;

/** The height at which all nodes have their natural size, within limits. */
export function heightOf(places: Iterable<Point>): number {
  const tops = [...places].map(({ y }) => y);
  const height = Math.max(...tops) - Math.min(...tops) + nodeSize.height + 2 * margin;
  return Math.min(Math.max(height, heights.least), heights.most);
}
