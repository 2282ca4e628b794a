import { expect, test } from 'vitest';
import { median, mediansByDay, percentile, summarize, summarizeWaits } from './durations.ts';

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
  day: '2026-11-21',
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

test('a day without runs has no median', () => {
  const runs = [run(1, 10), run(2, 20), { ...run(1, 7), day: '2026-11-23' }];
  const days = ['2026-11-21', '2026-11-22', '2026-11-23'].map((day) => ({ day }));
  expect(mediansByDay(runs, days)).toEqual([15, null, 7]);
});

test.each([
  [[], null],
  [[3], 3],
  [Array.from({ length: 20 }, (_, index) => index + 1), 19],
])('of %j, 95 of 100 are at most %j', (numbers, expected) => {
  expect(percentile(numbers, 0.95)).toBe(expected);
});

test('a task waits from its launch to its start, and not for a time that was chosen', () => {
  const at = (time: string) => `2026-11-21T08:00:${time}.000Z`;
  const launched = { created: at('00'), not_before: null };
  const tasks = [
    { ...launched, start: at('04') },
    { ...launched, not_before: at('30'), start: at('32') },
    { ...launched, start: null },
    { ...launched, created: '2026-11-01T08:00:00.000Z', start: at('50') },
  ];
  expect(summarizeWaits(tasks, '2026-11-20T00:00:00.000Z')).toEqual({ median_s: 3, p95_s: 4 });
  expect(summarizeWaits([], '')).toBe(null);
});
