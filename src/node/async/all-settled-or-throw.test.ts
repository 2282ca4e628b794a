import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allSettledOrThrow } from './all-settled-or-throw.ts';

test('it answers what all calls answer, in their order', async () => {
  const late = delay(10, 'late');
  expect(await allSettledOrThrow([late, Promise.resolve(2)])).toEqual(['late', 2]);
});

test('it fails with the first error, and only when every call has ended', async () => {
  let hasEnded = false;
  const slow = delay(20).then(() => {
    hasEnded = true;
  });
  const failing = Promise.reject(new Error('first'));
  await expect(allSettledOrThrow([slow, failing])).rejects.toThrow('first');
  expect(hasEnded).toBe(true);
});
