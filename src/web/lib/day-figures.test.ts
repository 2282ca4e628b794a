import { expect, test } from 'vitest';
import { duration } from './time.ts';
import { dayWords, medianWords, percentOf, successRate, sumOf, totalsOf } from './day-figures.ts';

const day = (success: number, error: number, stopped: number) => ({ success, error, stopped });

test('adds up the days', () => {
  const totals = totalsOf([day(1, 2, 3), day(10, 20, 30)]);
  expect(totals).toEqual(day(11, 22, 33));
  expect(sumOf(totals)).toBe(66);
  expect(totalsOf([])).toEqual(day(0, 0, 0));
});

test('what was stopped neither succeeded nor failed', () => {
  expect(successRate(day(3, 1, 100))).toBe(0.75);
  expect(successRate(day(0, 0, 4))).toBeNull();
});

test.each([
  [1, 100],
  [0.999_99, 99.9],
  [0.9754, 97.5],
  [0.000_01, 0.1],
  [0, 0],
])('a rate of %f is %f percent', (rate, percent) => {
  expect(percentOf(rate)).toBe(percent);
});

test('the median of one run is the duration of this run', () => {
  const start = '2026-11-01T08:00:00.000Z';
  expect(medianWords(4.6, 'en')).toBe(duration(start, Date.parse(start) + 4600, 'en'));
  expect(medianWords(null, 'en')).toBe('—');
});

test('names a day in the words of the language, wherever the reader is', () => {
  expect(dayWords('2026-11-01', 'en-GB')).toBe('1 Nov');
  expect(dayWords('2026-11-01', 'de', true)).toBe('So., 1. Nov.');
});
