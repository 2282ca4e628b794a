import type { CalendarDay } from '#shared/api/schedule-calendar.ts';
import { listNext } from '../../lib/cron.ts';

const HOUR_MS = 3_600_000;
// Wider than the largest offset of a time zone.
const MARGIN_MS = 36 * HOUR_MS;

/** Days in a time zone, from a day on or from today. A day may have 23 or 25 hours. */
export function calendarDays(from: string | Date, timeZone: string, count: number): CalendarDay[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const first = typeof from === 'string' ? from : format.format(from);
  const before = new Date(Date.parse(`${first}T00:00:00Z`) - MARGIN_MS);
  const midnights = listNext({ cron_format: '0 0 * * *', time_zone: timeZone }, before, count + 4);
  const days = midnights.flatMap((time, index) => {
    const to = midnights[index + 1];
    return to === undefined ? [] : [{ day: format.format(new Date(time)), from: time, to }];
  });
  return days.filter(({ day }) => day >= first).slice(0, count);
}
