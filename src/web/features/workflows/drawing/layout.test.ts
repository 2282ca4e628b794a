import { expect, test } from 'vitest';
import type { WorkflowEdge, WorkflowGraph } from '#shared/workflows/graph.ts';
import { arranged, heightOf, nodeSize, placesOf } from './layout.ts';

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

test('each node stands below all nodes before it', () => {
  const example = graph('dcba', 'ab', 'bc', 'ac', 'cd', 'ad');
  const places = arranged(example);
  for (const { from, to } of example.edges) {
    expect(places.get(to)?.y).toBeGreaterThanOrEqual((places.get(from)?.y ?? 0) + nodeSize.height);
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

test('a picture is as high as its levels, within limits', () => {
  const height = (keys: string, ...edges: string[]) =>
    heightOf(arranged(graph(keys, ...edges)).values());
  expect(height('a')).toBe(260);
  expect(height('abc', 'ab', 'bc')).toBe(3 * 64 + 2 * 64 + 2 * 36);
  expect(height('abcdefgh', 'ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh')).toBe(900);
});

test('a circle ends, and a node that was moved stays where it is', () => {
  expect(arranged(graph('abc', 'ab', 'bc', 'ca')).size).toBe(3);
  const moved = graph('ab', 'ab');
  const [first] = moved.nodes;
  if (first) first.position = { x: -7, y: 900 };
  expect(placesOf(moved).get('a')).toEqual({ x: -7, y: 900 });
  expect(placesOf(moved).get('b')).toEqual(arranged(moved).get('b'));
});
