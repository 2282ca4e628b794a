// Finds a place for each node of a graph: in columns by its distance from the start, and within a
// column near the nodes before it. Pure functions.

import type { WorkflowGraph } from '#shared/workflows/graph.ts';

export const nodeSize = { width: 200, height: 64 };
const gap = { x: 130, y: 32 };

export interface Point {
  x: number;
  y: number;
}

/** The places of all nodes by their keys, as if none had been moved by hand. */
export function arranged({ nodes, edges }: WorkflowGraph): Map<string, Point> {
  const depths = depthsOf({ nodes, edges });
  const rows = new Map<string, number>();
  const taken = new Map<number, number[]>();
  const byDepth = nodes.toSorted((one, other) => depthOf(depths, one) - depthOf(depths, other));
  for (const { key } of byDepth) {
    const column = taken.get(depths.get(key) ?? 0) ?? [];
    const before = edges.flatMap(({ from, to }) => (to === key ? (rows.get(from) ?? []) : []));
    const wanted = before.length > 0 ? before.reduce((sum, row) => sum + row) / before.length : 0;
    const row = freeRow(column, wanted);
    rows.set(key, row);
    taken.set(depths.get(key) ?? 0, [...column, row]);
  }
  return new Map(
    nodes.map(({ key }) => [
      key,
      {
        x: (depths.get(key) ?? 0) * (nodeSize.width + gap.x),
        y: (rows.get(key) ?? 0) * (nodeSize.height + gap.y),
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

/** The first row from the wanted one on that is at least one row away from all others. */
function freeRow(taken: readonly number[], wanted: number): number {
  let row = wanted;
  for (const other of taken.toSorted((one, two) => one - two)) {
    if (Math.abs(other - row) < 1) row = other + 1;
  }
  return row;
}
