import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pace } from './pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Rests and answers for how long. */
function work(pace: Pace, worked: number): number {
  vi.advanceTimersByTime(worked);
  const rest = pace.after(worked);
  vi.advanceTimersByTime(rest);
  return rest;
}

test('a rest is as long as the work times the rest after it, and at most the longest', () => {
  const pace = new Pace(3, { longestMs: 15 });
  expect(work(pace, 2)).toBe(6);
  expect(work(pace, 20)).toBe(15);
});

test('all who work at the same time rest for all of them', () => {
  const pace = new Pace(2);
  expect(pace.after(4)).toBe(8);
  expect(pace.after(4)).toBe(16);
});

test('saved rest is used before somebody rests again, and no more than may be saved', () => {
  const pace = new Pace(2, { longestMs: 100, savedMs: 60 });
  expect(Array.from({ length: 5 }, () => work(pace, 10))).toEqual([0, 0, 0, 20, 20]);
});

test('who works seldom never rests', () => {
  const pace = new Pace(2, { longestMs: 100, savedMs: 60 });
  for (let turn = 0; turn < 100; turn++) {
    expect(work(pace, 3)).toBe(0);
    vi.advanceTimersByTime(7);
  }
});
