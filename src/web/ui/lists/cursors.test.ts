import { expect, test } from 'vitest';
import { cursorOf, isFarOn, isTrail, newer, older, type Trail } from './cursors.ts';

test('the way leads on and back', () => {
  const second = older(undefined, 90);
  const third = older(second, 60);
  expect([undefined, second, third].map(cursorOf)).toEqual([undefined, 90, 60]);
  expect([third, newer(third), newer(second)]).toEqual(['.90.60', '.90', undefined]);
  expect([third, second, undefined].map(isFarOn)).toEqual([true, false, false]);
});

test('a long way forgets how it began', () => {
  let trail: Trail;
  for (let id = 1000; id > 0; id -= 10) trail = older(trail, id);
  expect(cursorOf(trail)).toBe(10);
  expect(trail).toSatisfy(isTrail);
  expect(newer(trail)?.split('.')).toHaveLength(50);
});

test.each(['', '.', '1', '.1.', 'x', '.1..2', '.-1', '.1e5', `.${'1'.repeat(16)}`])(
  '%j is no way',
  (text) => {
    expect(isTrail(text)).toBe(false);
  },
);
