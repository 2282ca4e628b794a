import type { CalendarDay, CalendarDue } from '#shared/api/schedule-calendar.ts';

const HOUR_MS = 3_600_000;
// From here on, the due times of a day are bands: those that follow each other within an hour are one.
export const MAX_SINGLE_PER_DAY = 12;

/** The due times of a schedule, day by day: each by itself, or in bands where there are many. */
export function groupTimes(times: number[], days: CalendarDay[]): CalendarDue[] {
  let at = 0;
  return days.flatMap(({ to }) => {
    const start = at;
    const end = Date.parse(to);
    while (at < times.length && (times[at] ?? end) < end) at += 1;
    const ofDay = times.slice(start, at);
    return ofDay.length <= MAX_SINGLE_PER_DAY ? ofDay.map((time) => bandOf([time])) : bands(ofDay);
  });
}

function bands(times: number[]): CalendarDue[] {
  const groups: number[][] = [];
  let last = -Infinity;
  for (const time of times) {
    if (time - last > HOUR_MS) groups.push([]);
    groups.at(-1)?.push(time);
    last = time;
  }
  return groups.map(bandOf);
}

function bandOf(times: number[]): CalendarDue {
  const [first = 0] = times;
  const gaps = new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  const [gap = 0] = gaps;
  return {
    due: new Date(first).toISOString(),
    last: new Date(times.at(-1) ?? first).toISOString(),
    count: times.length,
    every_s: gaps.size === 1 ? gap / 1000 : null,
  };
}
