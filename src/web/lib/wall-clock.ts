// Converts between times and the local time of a time zone, as inputs of the type `datetime-local`
// write it: `2027-06-25T04:00`; and between times and days of the reader: `2027-06-25`.

/** The local time at a time, for example `2027-06-25T02:00:00Z`. */
export function toWallClock(time: string, timeZone: string): string {
  return new Date(Date.parse(time) + offsetAt(Date.parse(time), timeZone))
    .toISOString()
    .slice(0, 16);
}

/**
 * The time, to the second, of a local time. A local time that a clock change skips is moved forward
 * by the length of the gap.
 */
export function fromWallClock(shown: string, timeZone: string): string {
  const asUtc = Date.parse(`${shown}Z`);
  const near = asUtc - offsetAt(asUtc, timeZone);
  const time = asUtc - offsetAt(near, timeZone);
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** The milliseconds by which a time zone is ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Midnight in the user's time zone, `later` days after `day`. */
export function midnight(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** The day `days` days before a time, in the user's time zone. */
export function dayBefore(time: Date, days = 0): string {
  const day = new Date(time.getFullYear(), time.getMonth(), time.getDate() - days, 12);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
