import { expect, test } from 'vitest';
import { lazy, stateOf } from './state-of.ts';

test('each owner has a state of its own, which is made once', () => {
  const countOf = stateOf((owner: { start: number }) => ({ count: owner.start }));
  const [one, other] = [{ start: 1 }, { start: 5 }];
  countOf(one).count += 1;
  expect([countOf(one).count, countOf(other).count]).toEqual([2, 5]);
});

test('a lazy value is made at its first use, and once, also if it is null', () => {
  let made = 0;
  const value = lazy(() => {
    made += 1;
    return null;
  });
  expect(made).toBe(0);
  expect([value(), value(), made]).toEqual([null, null, 1]);
});
