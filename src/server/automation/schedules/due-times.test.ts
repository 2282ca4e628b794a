import { expect, test } from 'vitest';
import { nextDue, type Timing } from '../../lib/cron.ts';
import { dueTimesIn } from './due-times.ts';

/** The due times as the scheduler computes them, one after another. */
function oneByOne(timing: Timing, first: string, to: string): string[] {
  const times: string[] = [];
  for (let due: string | null = first; due && due < to; due = nextDue(timing, due)) times.push(due);
  return times;
}

const week = ['2026-11-30T00:00:00.000Z', '2026-12-07T00:00:00.000Z'] as const;
const clocksForward = ['2026-03-28T00:00:00.000Z', '2026-03-31T00:00:00.000Z'] as const;
const clocksBack = ['2026-10-24T00:00:00.000Z', '2026-10-27T00:00:00.000Z'] as const;

test.each([
  ['30 2 * * *', 'Europe/Berlin', week],
  ['0 9-17 * * 1-5', 'America/New_York', week],
  ['5,7,30 */3 * * *', 'Asia/Kolkata', week],
  ['*/20 8-10,14 * * *', 'Asia/Kathmandu', week],
  ['0 0 1 * *', 'UTC', week],
  ['@hourly', 'Europe/Berlin', week],
  ['30 2 * * *', 'Europe/Berlin', clocksForward],
  ['*/30 * * * *', 'Europe/Berlin', clocksForward],
  ['30 2 * * *', 'Europe/Berlin', clocksBack],
  ['*/30 * * * *', 'Europe/Berlin', clocksBack],
  ['@every 7m', 'UTC', clocksBack],
])('%s in %s is due as the scheduler says', (cron_format, time_zone, [from, to]) => {
  const timing = { cron_format, time_zone, run_at: null };
  const first = nextDue(timing, new Date(Date.parse(from) - 1)) ?? '';
  const expected = oneByOne(timing, first, to);
  const range = { from: Date.parse(from), to: Date.parse(to) };
  const found = dueTimesIn(range)(timing, first).map((time) => new Date(time).toISOString());
  expect(expected.length).toBeGreaterThan(0);
  expect(found).toEqual(expected);
});

test('a single due time counts within the range only', () => {
  const [from, to] = week;
  const times = dueTimesIn({ from: Date.parse(from), to: Date.parse(to) });
  const once = (run_at: string) => times({ cron_format: '', time_zone: 'UTC', run_at }, run_at);
  expect(once('2026-12-01T10:00:00.000Z')).toEqual([Date.parse('2026-12-01T10:00:00.000Z')]);
  expect(once('2026-12-07T00:00:00.000Z')).toEqual([]);
});

test('nothing is due before the next due time of a schedule', () => {
  const [from, to] = week;
  const times = dueTimesIn({ from: Date.parse(from), to: Date.parse(to) });
  const timing = { cron_format: '0 * * * *', time_zone: 'UTC' };
  const [first] = times(timing, '2026-12-03T12:00:00.000Z');
  expect(first).toBe(Date.parse('2026-12-03T12:00:00.000Z'));
});
