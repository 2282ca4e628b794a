import { expect, test } from 'vitest';
import { lastDays } from './days.ts';

const hours = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / 3_600_000;

test.each([
  // A day ends by the clock of its reader.
  ['2026-11-21T23:30:00.000Z', 'UTC', '2026-11-21', '2026-11-21T00:00:00.000Z', 24],
  ['2026-11-21T23:30:00.000Z', 'Europe/Berlin', '2026-11-22', '2026-11-21T23:00:00.000Z', 24],
  ['2026-11-21T23:30:00.000Z', 'America/New_York', '2026-11-21', '2026-11-21T05:00:00.000Z', 24],
  ['2026-11-21T23:30:00.000Z', 'Asia/Kathmandu', '2026-11-22', '2026-11-21T18:15:00.000Z', 24],
  // Clocks are put forward, and back.
  ['2026-03-29T12:00:00.000Z', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
  ['2026-10-25T12:00:00.000Z', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  // Midnight does not exist on this day, or comes twice.
  ['2026-09-06T12:00:00.000Z', 'America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
  ['2026-11-01T12:00:00.000Z', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  // The first instant belongs to the day, the one before it does not.
  ['2026-11-21T00:00:00.000Z', 'UTC', '2026-11-21', '2026-11-21T00:00:00.000Z', 24],
])('at %s today in %s is %s and began at %s', (...given) => {
  const [now, zone, day, from, length] = given;
  const days = lastDays(new Date(now), zone, 1);
  expect(days).toEqual([{ day, from, to: expect.any(String) }]);
  expect(days.map(hours)).toEqual([length]);
});

test('days follow each other without a gap', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe']) {
    const days = lastDays(new Date('2026-11-05T10:00:00.000Z'), zone, 90);
    expect(days).toHaveLength(90);
    expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
    expect(new Set(days.map(({ day }) => day)).size).toBe(90);
    expect(days.at(-1)?.day).toBe('2026-11-05');
  }
});
