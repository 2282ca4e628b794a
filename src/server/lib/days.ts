import type { CalendarDay } from '#shared/api/schedule-calendar.ts';
import { listNext } from './cron.ts';
import { failFields, fieldError } from './errors.ts';
import { isTimeZone } from './time-zone.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// Wider than the largest offset of a time zone.
const MARGIN_MS = 36 * HOUR_MS;

/** Throws if the time zone is unknown. */
export function requireTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return;
  throw failFields(fieldError('time_zone', 'schedule.time_zone_unknown'));
}

const dayFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });

/** The days in a time zone that begin after a time. A day may have 23 or 25 hours. */
function daysAfter(time: number, timeZone: string, count: number): CalendarDay[] {
  const midnight = { cron_format: '0 0 * * *', time_zone: timeZone };
  const midnights = listNext(midnight, new Date(time), count + 1);
  const format = dayFormat(timeZone);
  return midnights.slice(0, -1).map((from, index) => ({
    day: format.format(new Date(from)),
    from,
    to: midnights[index + 1] ?? from,
  }));
}

/** The last days in a time zone, including today, the oldest first. */
export function lastDays(now: Date, timeZone: string, count: number): CalendarDay[] {
  const begun = daysAfter(now.getTime() - (count + 1) * DAY_MS, timeZone, count + 2);
  return begun.filter(({ from }) => Date.parse(from) <= now.getTime()).slice(-count);
}

/** Days in a time zone, from a day (`2026-11-30`) on, or from today. */
export function daysFrom(start: string | Date, timeZone: string, count: number): CalendarDay[] {
  const first = typeof start === 'string' ? start : dayFormat(timeZone).format(start);
  const before = Date.parse(`${first}T00:00:00Z`) - MARGIN_MS;
  return daysAfter(before, timeZone, count + 3)
    .filter(({ day }) => day >= first)
    .slice(0, count);
}
