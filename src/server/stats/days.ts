// Days as people in a time zone live them. Pure.

import { listNext } from '../automation/schedules/cron.ts';

/** A day, from its first instant to that of the next one. */
export interface Day {
  day: string;
  from: string;
  to: string;
}

const length = 24 * 60 * 60 * 1000;

/** The last days, today too; the oldest first. One may have 23 hours or 25. */
export function lastDays(now: Date, timeZone: string, count: number): Day[] {
  const midnight = { cron_format: '0 0 * * *', time_zone: timeZone };
  const long = new Date(now.getTime() - (count + 1) * length);
  const begun = listNext(midnight, long, count + 3);
  // The first midnight that is yet to come ends today.
  const end = begun.findIndex((time) => Date.parse(time) > now.getTime());
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return begun.slice(end - count, end).map((from, index) => ({
    day: format.format(new Date(from)),
    from,
    to: begun[end - count + index + 1] ?? from,
  }));
}
