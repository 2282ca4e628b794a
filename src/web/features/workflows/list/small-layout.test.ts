import { expect, test } from 'vitest';
import { DRAWING, smallLayout } from './small-layout.ts';

const nodes = (keys: string) => keys.split('').map((key) => ({ key }));
const edges = (text: string) =>
  text.split(' ').map((edge) => ({ from: edge.charAt(0), to: edge.charAt(1) }));

test('a graph reads from left to right', () => {
  const { points, lines } = smallLayout({ nodes: nodes('abcd'), edges: edges('ab ac bd cd') });
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((key) => points.get(key));
  expect(a?.x).toBeLessThan(b?.x ?? 0);
  expect(b?.x).toBe(c?.x);
  expect(b?.y).not.toBe(c?.y);
  expect(d?.x).toBeGreaterThan(c?.x ?? Infinity);
  expect(lines).toHaveLength(4);
});

test('a node alone is in the middle', () => {
  const { points } = smallLayout({ nodes: nodes('a'), edges: [] });
  expect(points.get('a')).toEqual({ x: DRAWING.width / 2, y: DRAWING.height / 2 });
});

test('every node of a large graph is inside', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ key: `n${index}` }));
  const chain = many.slice(1).map(({ key }, index) => ({ from: `n${index}`, to: key }));
  for (const { x, y } of smallLayout({ nodes: many, edges: chain }).points.values()) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(DRAWING.width);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(DRAWING.height);
  }
});

test('a graph without nodes is empty', () => {
  expect(smallLayout({ nodes: [], edges: [] })).toEqual({ points: new Map(), lines: [] });
});
