import { listNext } from '../lib/cron.ts';

/** `to` is the first instant of the next day. */
export interface Day {
  day: string;
  from: string;
  to: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The last days in a time zone, including today, the oldest first. A day may have 23 or 25 hours. */
export function lastDays(now: Date, timeZone: string, count: number): Day[] {
  const midnight = { cron_format: '0 0 * * *', time_zone: timeZone };
  const long = new Date(now.getTime() - (count + 1) * DAY_MS);
  const begun = listNext(midnight, long, count + 3);
  const end = begun.findIndex((time) => Date.parse(time) > now.getTime());
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return begun.slice(end - count, end).map((from, index) => ({
    day: format.format(new Date(from)),
    from,
    to: begun[end - count + index + 1] ?? from,
  }));
}
