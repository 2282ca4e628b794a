import { expect, test } from 'vitest';
import { stopwatch, tickStep, ticksBetween } from './time-ticks.ts';

test('a step is the smallest with few enough ticks', () => {
  expect(tickStep(60_000, 8)).toBe(10_000);
  expect(tickStep(59 * 60_000, 6)).toBe(10 * 60_000);
  expect(tickStep(300, 10)).toBe(50);
  expect(tickStep(20, 4)).toBe(10);
  expect(tickStep(1000, 0)).toBe(1000);
  expect(tickStep(10_000 * 24 * 3_600_000, 2)).toBe(10_000 * 24 * 3_600_000);
});

test('ticks are the multiples of the step within the range', () => {
  expect(ticksBetween(0, 30_000, 10_000)).toEqual([0, 10_000, 20_000, 30_000]);
  expect(ticksBetween(4500, 7000, 1000)).toEqual([5000, 6000, 7000]);
  expect(ticksBetween(4500, 4900, 1000)).toEqual([]);
});

test('elapsed time is shown as on a stopwatch', () => {
  expect(stopwatch(0, 1000)).toBe('0:00');
  expect(stopwatch(65_000, 5000)).toBe('1:05');
  expect(stopwatch(3_723_000, 1000)).toBe('1:02:03');
  expect(stopwatch(500, 100)).toBe('0:00.5');
  expect(stopwatch(61_050, 50)).toBe('1:01.05');
  expect(stopwatch(59_999, 1000)).toBe('1:00');
});
