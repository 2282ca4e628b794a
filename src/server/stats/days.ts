// Days in the time zone of the reader. Pure functions.

import { listNext } from '../lib/cron.ts';

/** A day, from its first instant to that of the next one. */
export interface Day {
  day: string;
  from: string;
  to: string;
}

const length = 24 * 60 * 60 * 1000;

/** The last days including today, the oldest first. A day may have 23 or 25 hours. */
export function lastDays(now: Date, timeZone: string, count: number): Day[] {
  const midnight = { cron_format: '0 0 * * *', time_zone: timeZone };
  const long = new Date(now.getTime() - (count + 1) * length);
  const begun = listNext(midnight, long, count + 3);
  // The first midnight in the future ends today.
  const end = begun.findIndex((time) => Date.parse(time) > now.getTime());
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return begun.slice(end - count, end).map((from, index) => ({
    day: format.format(new Date(from)),
    from,
    to: begun[end - count + index + 1] ?? from,
  }));
}
