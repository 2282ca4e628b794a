import { expect, test } from 'vitest';
import { median, summarize } from './durations.ts';

test.each([
  [[], null],
  [[4], 4],
  [[9, 1], 5],
  [[9, 1, 2], 2],
  [[1, 100, 2, 3], 2.5],
])('the median of %j is %j', (numbers, middle) => {
  expect(median(numbers)).toBe(middle);
});

const run = (template_id: number, seconds: number) => ({
  template_id,
  start: '2026-11-21T08:00:00.000Z',
  end: new Date(Date.parse('2026-11-21T08:00:00.000Z') + seconds * 1000).toISOString(),
});

test('names the templates whose runs take longest, by their medians', () => {
  const runs = [run(1, 10), run(2, 300), run(2, 1), run(2, 40), run(3, 20), run(3, 30)];
  expect(summarize(runs, 2)).toEqual({
    median_s: 25,
    slowest: [
      { template_id: 2, median_s: 40, runs: 3 },
      { template_id: 3, median_s: 25, runs: 2 },
    ],
  });
});

test('a clock that was put back makes no negative times', () => {
  expect(summarize([run(1, -5)], 5).median_s).toBe(0);
});

test('without runs there is nothing to say', () => {
  expect(summarize([], 5)).toEqual({ median_s: null, slowest: [] });
});
