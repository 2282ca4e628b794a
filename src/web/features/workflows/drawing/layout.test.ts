import { expect, test } from 'vitest';
import type { WorkflowEdge, WorkflowGraph } from '#shared/workflows/graph.ts';
import { arranged, nodeSize, placesOf } from './layout.ts';

const wait = (key: string) => ({
  key,
  name: key,
  type: 'wait' as const,
  join: 'all' as const,
  position: null,
  seconds: 1,
  until: null,
  time_zone: '',
});

/** A graph of waits; `ab` is an edge from a to b. */
const graph = (keys: string, ...edges: string[]): WorkflowGraph => ({
  nodes: keys.split('').map(wait),
  edges: edges.map(([from = '', to = '']): WorkflowEdge => ({ from, to, when: 'success' })),
});

test('each node stands to the right of all nodes before it', () => {
  const example = graph('dcba', 'ab', 'bc', 'ac', 'cd', 'ad');
  const places = arranged(example);
  for (const { from, to } of example.edges) {
    expect(places.get(to)?.x).toBeGreaterThanOrEqual((places.get(from)?.x ?? 0) + nodeSize.width);
  }
});

test('no node covers another one', () => {
  const places = [...arranged(graph('abcdefg', 'ab', 'ac', 'ad', 'be', 'ce', 'df')).values()];
  const covering = places.flatMap((one, index) =>
    places
      .slice(index + 1)
      .filter(
        ({ x, y }) => Math.abs(x - one.x) < nodeSize.width && Math.abs(y - one.y) < nodeSize.height,
      ),
  );
  expect(covering).toEqual([]);
});

test('a circle ends, and a node that was moved stays where it is', () => {
  expect(arranged(graph('abc', 'ab', 'bc', 'ca')).size).toBe(3);
  const moved = graph('ab', 'ab');
  const [first] = moved.nodes;
  if (first) first.position = { x: -7, y: 900 };
  expect(placesOf(moved).get('a')).toEqual({ x: -7, y: 900 });
  expect(placesOf(moved).get('b')).toEqual(arranged(moved).get('b'));
});
