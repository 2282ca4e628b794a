// The engine against a slow model that looks at all nodes again and again, and single cases by name.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  modelEnd,
  settle,
  type States,
  type When,
} from '../../../../../test/helpers/slow-workflow.ts';
import { next, nodesAfter, type Progress, type RunEvent, type Shape } from './engine.ts';

const idle = (shape: Shape): States =>
  Object.fromEntries(shape.nodes.map(({ key }) => [key, 'idle' as const]));
const progressOf = (states: States, isStopping = false): Progress => ({
  states: new Map(Object.entries(states)),
  isStopping,
});

/** Any graph without circles, whose nodes stand in any order. */
const anyShape: fc.Arbitrary<Shape> = fc.integer({ min: 1, max: 12 }).chain((count) => {
  const pairs = Array.from({ length: count }, (_, to) =>
    Array.from({ length: to }, (_unused, from) => [`n${from}`, `n${to}`] as const),
  ).flat();
  return fc.record({
    nodes: fc
      .tuple(
        ...Array.from({ length: count }, (_, index) =>
          fc.record({
            key: fc.constant(`n${index}`),
            join: fc.constantFrom('all' as const, 'any' as const),
          }),
        ),
      )
      .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: count })),
    edges: fc.shuffledSubarray(pairs, { maxLength: Math.min(pairs.length, 24) }).chain((chosen) =>
      fc.tuple(
        ...chosen.map(([from, to]) =>
          fc.record({
            from: fc.constant(from),
            to: fc.constant(to),
            when: fc.constantFrom<When>('success', 'failure', 'always'),
          }),
        ),
      ),
    ),
  });
});

interface Move {
  which: number;
  kind: 'success' | 'failure' | 'stop' | 'noise';
}

const anyMove: fc.Arbitrary<Move> = fc.record({
  which: fc.nat(1000),
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('success' as const) },
    { weight: 4, arbitrary: fc.constant('failure' as const) },
    { weight: 1, arbitrary: fc.constant('noise' as const) },
    { weight: 1, arbitrary: fc.constantFrom('stop' as const, 'success' as const) },
  ),
});

/** The event of a move; noise is about a node that is not active. */
function eventOf(move: Move, states: States): RunEvent | null {
  if (move.kind === 'stop') return { type: 'stopped' };
  const isNoise = move.kind === 'noise';
  const chosen = Object.keys(states).filter((key) => (states[key] === 'active') !== isNoise);
  const node = chosen[move.which % chosen.length];
  if (node === undefined) return null;
  return { type: 'ended', node, outcome: move.kind === 'failure' ? 'failure' : 'success' };
}

test('the engine decides as the model does, begins each node once, and ends every run', () => {
  fc.assert(
    fc.property(anyShape, fc.array(anyMove, { minLength: 40, maxLength: 40 }), (shape, moves) => {
      const states = idle(shape);
      let isStopping = false;
      const begun: string[] = [];
      let step = next(shape, progressOf(states), { type: 'started' });
      const compare = (): void => {
        const expected = settle(shape, states, isStopping);
        const end = modelEnd(shape, states, isStopping);
        if (end === 'stopped') {
          for (const key of Object.keys(states))
            if (states[key] === 'idle') states[key] = 'skipped';
        }
        expect(Object.fromEntries(step.progress.states)).toEqual(states);
        const now = step.begin.map(({ node }) => node);
        expect(now.toSorted()).toEqual(expected.toSorted());
        expect(step.end).toBe(end);
        begun.push(...now);
      };
      compare();
      for (const move of moves) {
        if (step.end !== null) break;
        const event = eventOf(move, states);
        if (!event) continue;
        if (event.type === 'stopped') isStopping = true;
        if (event.type === 'ended' && move.kind !== 'noise') states[event.node] = event.outcome;
        step = next(shape, step.progress, event);
        compare();
      }
      expect(new Set(begun).size).toBe(begun.length);
      expect(step.end).not.toBeNull();
      expect(Object.values(states)).not.toContain('idle');
    }),
    { numRuns: 5000 },
  );
});

/** `a>b` on success, `a!b` on failure, `a*b` always; `?b` begins with any of its edges. */
function shapeOf(text: string): Shape {
  const whens: Record<string, When> = { '>': 'success', '!': 'failure', '*': 'always' };
  const parts = text.split(' ');
  const any = parts.filter((part) => part.startsWith('?')).map((part) => part.slice(1));
  const edges = parts
    .filter((part) => /^\w[>!*]\w$/.test(part))
    .map(([from = '', sign = '', to = '']) => ({ from, to, when: whens[sign] ?? 'success' }));
  const keys = [...new Set(parts.flatMap((part) => part.match(/\w/g) ?? []))];
  return {
    nodes: keys.map((key) => ({ key, join: any.includes(key) ? 'any' : 'all' })),
    edges,
  };
}

/** Ends nodes in turn, such as `a+ b-`; returns what is active or has ended, and the end of the run. */
function play(text: string, moves: string): [string, string | null] {
  const shape = shapeOf(text);
  let step = next(shape, progressOf(idle(shape)), { type: 'started' });
  for (const move of moves.split(' ').filter(Boolean)) {
    const outcome = move.endsWith('+') ? ('success' as const) : ('failure' as const);
    const event: RunEvent =
      move === 'stop' ? { type: 'stopped' } : { type: 'ended', node: move.slice(0, -1), outcome };
    step = next(shape, step.progress, event);
  }
  const signs = { idle: '.', active: '~', success: '+', failure: '-', skipped: 'x' };
  const shown = [...step.progress.states].map(([key, state]) => `${key}${signs[state]}`);
  return [shown.toSorted().join(' '), step.end];
}

describe('a run', () => {
  test.each([
    ['a b', '', 'a~ b~', null],
    ['a>b', 'a+', 'a+ b~', null],
    ['a>b', 'a-', 'a- bx', 'error'],
    ['a!b', 'a+', 'a+ bx', 'success'],
    ['a!b', 'a- b+', 'a- b+', 'success'],
    ['a!b', 'a- b-', 'a- b-', 'error'],
    ['a*b', 'a- b+', 'a- b+', 'error'],
    ['a>b b*c', 'a-', 'a- bx c~', null],
    ['a>c b>c', 'a+', 'a+ b~ c.', null],
    ['a>c b>c', 'a-', 'a- b~ cx', null],
    ['a>c b>c ?c', 'a- b+', 'a- b+ c~', null],
    ['a>c b>c ?c', 'a+ b- c+', 'a+ b- c+', 'error'],
    ['a>b', 'stop', 'a~ b.', null],
    ['a>b', 'stop a+', 'a+ bx', 'stopped'],
    ['a>b', 'a+ a- a-', 'a+ b~', null],
    ['a>b', 'b+', 'a~ b.', null],
  ])('of %s after "%s" is %s', (text, moves, shown, end) => {
    expect(play(text, moves)).toEqual([shown, end]);
  });

  test('names the nodes that decided each step', () => {
    const shape = shapeOf('a>c b*c c!d');
    const begun = next(shape, progressOf({ a: 'success', b: 'active', c: 'idle', d: 'idle' }), {
      type: 'ended',
      node: 'b',
      outcome: 'failure',
    });
    expect(begun.begin).toEqual([{ node: 'c', because: ['a', 'b'] }]);
    const ended = next(shape, begun.progress, { type: 'ended', node: 'c', outcome: 'success' });
    expect(ended.skip).toEqual([{ node: 'd', because: ['c'] }]);
  });
});

test('the nodes after others are found along all edges', () => {
  const shape = shapeOf('a>b b!c d*c e');
  expect([...nodesAfter(shape, ['a'])].toSorted()).toEqual(['b', 'c']);
  expect([...nodesAfter(shape, ['c', 'e'])]).toEqual([]);
});
