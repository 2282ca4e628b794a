import { expect, test } from 'vitest';
import { dayBefore, fromWallClock, isDay, toWallClock } from './wall-clock.ts';

test.each([
  ['2027-06-25T02:00', 'UTC', '2027-06-25T02:00:00Z'],
  ['2027-06-25T04:00', 'Europe/Berlin', '2027-06-25T02:00:00Z'],
  ['2027-01-25T03:00', 'Europe/Berlin', '2027-01-25T02:00:00Z'],
  ['2027-06-24T22:00', 'America/New_York', '2027-06-25T02:00:00Z'],
  ['2027-06-25T07:45', 'Asia/Kathmandu', '2027-06-25T02:00:00Z'],
  // Shortly after clocks were put forward, and shortly before they are put back.
  ['2027-03-28T03:10', 'Europe/Berlin', '2027-03-28T01:10:00Z'],
  ['2027-10-31T01:50', 'Europe/Berlin', '2027-10-30T23:50:00Z'],
])('%s in %s is %s', (shown, zone, time) => {
  expect([fromWallClock(shown, zone), toWallClock(time, zone)]).toEqual([time, shown]);
});

test('a time that clocks leave out is as much later', () => {
  const time = fromWallClock('2027-03-28T02:30', 'Europe/Berlin');
  expect(toWallClock(time, 'Europe/Berlin')).toBe('2027-03-28T03:30');
});

test.each([
  ['2026-11-21', true],
  ['2026-13-01', false],
  ['21.11.2026', false],
  ['', false],
])('%j is a day: %s', (text, is) => {
  expect(isDay(text)).toBe(is);
});

test('a day is that of the reader, over the ends of months and changes of the clock', () => {
  expect(dayBefore(new Date(2026, 2, 1, 0, 30))).toBe('2026-03-01');
  expect(dayBefore(new Date(2026, 2, 1, 23, 30), 1)).toBe('2026-02-28');
  expect(dayBefore(new Date(2026, 10, 21, 0, 0), 30)).toBe('2026-10-22');
});
