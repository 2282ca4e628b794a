// What a clock on the wall shows in a time zone, as inputs of the type `datetime-local` write it:
// `2027-06-25T04:00`.

/** What the clock shows at a time, for example `2027-06-25T02:00:00Z`. */
export function toWallClock(time: string, timeZone: string): string {
  return new Date(Date.parse(time) + offsetAt(Date.parse(time), timeZone))
    .toISOString()
    .slice(0, 16);
}

/**
 * The time, to the second, at which the clock shows this. Where clocks are put forward over it, the
 * time is as much later.
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
