// The days of a calendar in its address. Pure functions.

const DAY_MS = 24 * 3_600_000;

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export const dayIn = (zone: string, time: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(time);

/** The Monday of the week of a day. */
export const mondayOf = (day: string): string =>
  addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

const dayFormat = (tag: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options });

/** "Mon 30": the words of a day above its column. */
export const shortDay = (day: string, tag: string): { weekday: string; date: string } => ({
  weekday: dayFormat(tag, { weekday: 'short' }).format(Date.parse(day)),
  date: dayFormat(tag, { day: 'numeric' }).format(Date.parse(day)),
});

export const longDay = (day: string, tag: string): string =>
  dayFormat(tag, { weekday: 'long', day: 'numeric', month: 'long' }).format(Date.parse(day));

/** "30 Nov – 6 Dec 2026". */
export const weekWords = (from: string, to: string, tag: string): string =>
  dayFormat(tag, { day: 'numeric', month: 'short', year: 'numeric' }).formatRange(
    Date.parse(from),
    Date.parse(to),
  );

/** "02:30" or "2:30 AM", for the minute of a day; 24:00 is written as midnight. */
export const clock = (minute: number, tag: string): string =>
  dayFormat(tag, { hour: 'numeric', minute: '2-digit' }).format(Math.floor(minute) * 60_000);
