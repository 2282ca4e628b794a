import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasWholeDays, relativeTime, timeTagOf } from './time.ts';

const before = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterAll(() => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
});

// A Saturday, 11:00 in Berlin.
const now = Date.parse('2026-11-28T10:00:00Z');

test.each([
  ['2026-11-28T09:59:30Z', 'now'],
  ['2026-11-28T09:55:00Z', '5 minutes ago'],
  ['2026-11-28T12:10:00Z', 'in 2 hours'],
  // Yesterday by the calendar, and less than a day ago.
  ['2026-11-27T22:30:00Z', '11 hours ago'],
  ['2026-11-26T11:00:00Z', 'Thu 12:00'],
  ['2026-11-30T01:30:00Z', 'Mon 02:30'],
  // The same weekday a week ago would be taken for today.
  ['2026-11-21T23:30:00Z', 'Sun 00:30'],
  ['2026-11-21T22:30:00Z', '21 Nov, 23:30'],
  ['2026-12-05T09:00:00Z', '5 Dec, 10:00'],
  ['2025-11-26T13:05:00Z', '26 Nov 2025, 14:05'],
])('%s is told as "%s"', (time, words) => {
  expect(relativeTime(time, now, 'en-GB')).toBe(words);
});

test('the hours are those of the browser, and its form of the language of the console', () => {
  const words = (tag: string) => relativeTime('2026-11-30T13:30:00Z', now, tag).replace(' ', ' ');
  expect(words(timeTagOf('en', ['en-US']))).toBe('Mon 2:30 PM');
  expect(words(timeTagOf('en', ['en-GB', 'en-US']))).toBe('Mon 14:30');
  expect(words(timeTagOf('en', ['de-DE', 'en-US']))).toBe('Mon 14:30');
  expect(words(timeTagOf('de', ['en-US']))).toBe('Mo. 2:30 PM');
  expect(words(timeTagOf('zh-Hant', ['zh-TW']))).toContain('下午');
  expect(timeTagOf('pt-PT', ['pt-BR'])).toContain('pt-BR');
  expect(timeTagOf('de', ['C'])).toBe('de-u-hc-h23');
  expect(words(timeTagOf('en', ['C', 'en-GB']))).toBe('Mon 14:30');
  expect(['en-US', 'en-GB', 'de'].map(hasWholeDays)).toEqual([false, true, true]);
});
