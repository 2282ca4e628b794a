// The due times of schedules in a range, as numbers of milliseconds. The scheduler's own code computes
// one time in a quarter of a millisecond, and a schedule of each minute has 11,520 in eight days. Thus
// only the hours in which a cron text is due are looked up, and its minutes once: they are the same in
// each of these hours.

import { dueTimes, intervalOf, type Timing } from '../../lib/cron.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Range {
  from: number;
  to: number;
}

/** Computes due times in a range; schedules with the same cron text and zone share the result. */
export function dueTimesIn(range: Range): (timing: Timing, nextDue: string) => number[] {
  const known = new Map<string, number[]>();
  return (timing, nextDue) => {
    const first = Date.parse(nextDue);
    const interval = timing.run_at ? null : intervalOf(timing.cron_format);
    if (timing.run_at) return inRange([first], range);
    if (interval !== null) return intervalTimes(first, interval, range);
    const key = `${timing.time_zone} ${timing.cron_format}`;
    const times = known.get(key) ?? cronTimes(timing, range);
    known.set(key, times);
    return times.filter((time) => time >= first);
  };
}

const inRange = (times: number[], { from, to }: Range): number[] =>
  times.filter((time) => time >= from && time < to);

function intervalTimes(first: number, interval: number, { from, to }: Range): number[] {
  const times: number[] = [];
  const skipped = Math.max(0, Math.ceil((from - first) / interval));
  for (let time = first + skipped * interval; time < to; time += interval) times.push(time);
  return times;
}

function cronTimes(timing: Timing, range: Range): number[] {
  const next = dueTimes(timing, new Date(range.from));
  const from = (time: number): number => next(new Date(time - 1))?.getTime() ?? Infinity;
  const shift = hourShift(timing.time_zone, range.from);
  const hourOf = (time: number): number => Math.floor((time - shift) / HOUR_MS) * HOUR_MS + shift;
  const times: number[] = [];
  let minutes: number[] | null = null;
  for (let due = from(hourOf(range.from)); due < range.to;) {
    const hour = hourOf(due);
    minutes ??= minutesOf(from, hour);
    // At the end of the hour that a clock change skips, a schedule is due outside its minutes.
    if (due - hour !== minutes[0]) {
      times.push(due);
      due = from(due + MINUTE_MS);
      continue;
    }
    times.push(...minutes.map((minute) => hour + minute));
    due = from(hour + HOUR_MS);
  }
  return inRange(times, range);
}

function minutesOf(from: (time: number) => number, hour: number): number[] {
  const minutes: number[] = [];
  for (let due = from(hour); due < hour + HOUR_MS; due = from(due + MINUTE_MS)) {
    minutes.push(due - hour);
  }
  return minutes;
}

/** How long after those of UTC the hours of a zone begin: half an hour in India. */
function hourShift(timeZone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' });
  const minute = Number(format.format(Math.floor(time / HOUR_MS) * HOUR_MS));
  return ((60 - minute) % 60) * MINUTE_MS;
}
