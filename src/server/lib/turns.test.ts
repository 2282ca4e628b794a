import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeTurn } from './turns.ts';

test('a few have their turn in each round of the event loop, in the order in which they came', async () => {
  const begun: number[] = [];
  for (let number = 0; number < 60; number += 1) void takeTurn().then(() => begun.push(number));
  const counts: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await nextRound();
    counts.push(begun.length);
  }
  expect(counts).toEqual([25, 50, 60, 60]);
  expect(begun).toEqual(begun.toSorted((one, other) => one - other));
});

test('somebody who comes while others wait has the turn after them', async () => {
  const begun: string[] = [];
  const come = (name: string) => takeTurn().then(() => begun.push(name));
  const first = come('first').then(() => come('first again'));
  await Promise.all([first, come('second')]);
  expect(begun).toEqual(['first', 'second', 'first again']);
});
