import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { admitRequest, yieldToEventLoop } from './fair-queue.ts';

test.each([
  { name: 'of messages', take: yieldToEventLoop, counts: [25, 50, 60, 60] },
  { name: 'of requests', take: admitRequest, counts: [3, 6, 9, 12] },
])('a few $name have their turn in each round, in the order in which they came', async (kind) => {
  const begun: number[] = [];
  const all = Array.from({ length: 60 }, (_, number) => kind.take().then(() => begun.push(number)));
  const counts: number[] = [];
  for (let round = 0; round < kind.counts.length; round += 1) {
    await nextRound();
    counts.push(begun.length);
  }
  expect(counts).toEqual(kind.counts);
  await Promise.all(all);
  expect(begun).toEqual(begun.toSorted((one, other) => one - other));
});

test('somebody who comes while others wait has the turn after them', async () => {
  const begun: string[] = [];
  const come = (name: string) => yieldToEventLoop().then(() => begun.push(name));
  const first = come('first').then(() => come('first again'));
  await Promise.all([first, come('second')]);
  expect(begun).toEqual(['first', 'second', 'first again']);
});
