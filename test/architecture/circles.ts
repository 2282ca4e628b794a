// Finds circles in a graph of imports between files or folders.

/** The imports of each file or folder. */
export type Graph = Map<string, Set<string>>;

/** The groups in which every member reaches every other one. A group of one is no circle. */
export function circlesIn(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((name) => [name, reachableFrom(graph, name)]));
  const circles = new Map<string, string[]>();
  for (const [name, others] of reached) {
    if (!others.has(name)) continue;
    const circle = [...others].filter((other) => reached.get(other)?.has(name)).sort();
    circles.set(circle.join(), circle);
  }
  return [...circles.values()];
}

function reachableFrom(graph: Graph, start: string): Set<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const next of graph.get(name) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return found;
}
