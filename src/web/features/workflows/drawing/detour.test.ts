import { expect, test } from 'vitest';
import type { WorkflowEdge } from '#shared/workflows/graph.ts';
import { detourPath, detoursOf } from './detour.ts';
import { nodeSize } from './layout.ts';

const edge = (from: string, to: string): WorkflowEdge => ({ from, to, when: 'success' });
const column = new Map([
  ['a', { x: 0, y: 0 }],
  ['b', { x: 0, y: 128 }],
  ['c', { x: 0, y: 256 }],
  ['d', { x: 0, y: 384 }],
]);

test('an edge that would run over a node goes down beside it', () => {
  const edges = [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')];
  expect(detoursOf(edges, column)).toEqual([null, null, nodeSize.width + 56]);
});

test('two such edges beside each other keep apart, and two below each other need not', () => {
  const beside = detoursOf([edge('a', 'c'), edge('b', 'd'), edge('a', 'd')], column);
  expect(new Set(beside).size).toBe(3);
  const places = new Map([...column, ['e', { x: 0, y: 512 }], ['f', { x: 0, y: 640 }]]);
  const [upper, lower] = detoursOf([edge('a', 'c'), edge('d', 'f')], places);
  expect(upper).toBe(lower);
});

test('an edge with a free way has none, wherever its nodes were moved', () => {
  const moved = new Map([...column, ['b', { x: 400, y: 128 }]]);
  expect(detoursOf([edge('a', 'c'), edge('a', 'b'), edge('d', 'a')], moved)).toEqual([
    null,
    null,
    null,
  ]);
});

test('the path begins and ends at its nodes, and its middle is beside them', () => {
  const [path, middle] = detourPath({ x: 112, y: 64 }, { x: 112, y: 256 }, 252);
  expect(path).toMatch(/^M112,64 .* 112,256$/);
  expect(middle).toEqual({ x: 252, y: 160 });
});
