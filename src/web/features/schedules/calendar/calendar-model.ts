// The runs of a calendar, day by day, at the minutes of the day in its time zone. Pure functions.

import type {
  CalendarDay,
  CalendarDue,
  CalendarFire,
  CalendarResult,
  CalendarSchedule,
  ScheduleCalendar,
} from '#shared/api/schedule-calendar.ts';
import { toWallClock } from '../../../lib/wall-clock.ts';

const MINUTE_MS = 60_000;
export const DAY_MINUTES = 24 * 60;

export interface CalendarRun {
  key: string;
  schedule: CalendarSchedule;
  /** `due`: still to come. */
  result: CalendarResult | 'due';
  due: string;
  taskId: number | null;
  runId: number | null;
  /** Null: unknown. */
  seconds: number | null;
  /** Minutes of the day. */
  from: number;
  to: number;
  /** The runs of the day that run at the same time. */
  overlaps: CalendarRun[];
}

/** Many due times of a schedule on one day. */
export interface CalendarBand {
  key: string;
  schedule: CalendarSchedule;
  result: CalendarResult | 'due';
  count: number;
  bad: number;
  everySeconds: number | null;
  from: number;
  to: number;
}

export interface CalendarColumn extends CalendarDay {
  /** In the order of their beginning. */
  runs: CalendarRun[];
  bands: CalendarBand[];
  /** The number of schedules that run in each hour. */
  load: number[];
}

type Entry = (CalendarDue | CalendarFire) & { schedule: CalendarSchedule };

export function columnsOf({
  days,
  schedules,
  time_zone: zone,
}: ScheduleCalendar): CalendarColumn[] {
  const entries: Entry[] = schedules.flatMap((schedule) =>
    [...schedule.past, ...schedule.due].map((entry) => ({ ...entry, schedule })),
  );
  const single = entries.filter(({ count }) => count === 1);
  const many = entries.filter(({ count }) => count > 1);
  return days.map((day) => {
    const minuteOf = minutesIn(day, zone);
    const isInDay = ({ due }: Entry): boolean => due >= day.from && due < day.to;
    const runs = single
      .flatMap((entry) => runIn(entry, day, minuteOf))
      .toSorted((one, other) => one.from - other.from || one.key.localeCompare(other.key));
    findOverlaps(runs);
    const bands = many.filter(isInDay).map((entry) => bandOf(entry, minuteOf));
    return { ...day, runs, bands, load: loadOf([...runs.filter(hasRun), ...bands]) };
  });
}

/** Converts times to minutes of the day. Only a day with a clock change has to be looked up. */
function minutesIn({ from, to }: CalendarDay, zone: string): (time: number) => number {
  const start = Date.parse(from);
  const isUsual = Date.parse(to) - start === DAY_MINUTES * MINUTE_MS;
  if (isUsual) return (time) => (time - start) / MINUTE_MS;
  return (time) => {
    const clock = toWallClock(new Date(time).toISOString(), zone).slice(11);
    const [hour = 0, minute = 0] = clock.split(':').map(Number);
    return hour * 60 + minute;
  };
}

const resultOf = (entry: Entry): CalendarRun['result'] =>
  'result' in entry ? entry.result : 'due';

/** What was missed or skipped takes no time. */
const hasRun = ({ result, taskId, runId }: CalendarRun): boolean =>
  result === 'due' || result === 'started' || taskId !== null || runId !== null;

/** What a due time has launched or will launch, and how long that takes. */
function launchOf(entry: Entry): Pick<CalendarRun, 'result' | 'taskId' | 'runId' | 'seconds'> {
  const result = resultOf(entry);
  const { expected_s } = entry.schedule;
  if (!('result' in entry)) return { result, taskId: null, runId: null, seconds: expected_s };
  const { task_id: taskId, workflow_run_id: runId, duration_s } = entry;
  const isLaunched = taskId !== null || runId !== null;
  return { result, taskId, runId, seconds: isLaunched ? (duration_s ?? expected_s) : null };
}

/** The part of a run that is within a day; empty if none is. */
function runIn(entry: Entry, day: CalendarDay, minuteOf: (time: number) => number): CalendarRun[] {
  const [start, end] = [Date.parse(day.from), Date.parse(day.to)];
  const due = Date.parse(entry.due);
  const launched = launchOf(entry);
  const { seconds } = launched;
  const until = due + (seconds ?? 0) * 1000;
  if (due >= end || (due < start && until <= start)) return [];
  return [
    {
      key: `${entry.schedule.id} ${entry.due}`,
      schedule: entry.schedule,
      due: entry.due,
      ...launched,
      from: due < start ? 0 : minuteOf(due),
      to: until >= end ? DAY_MINUTES : minuteOf(until),
      overlaps: [],
    },
  ];
}

const bandOf = (entry: Entry, minuteOf: (time: number) => number): CalendarBand => ({
  key: `${entry.schedule.id} ${entry.due}`,
  schedule: entry.schedule,
  result: resultOf(entry),
  count: entry.count,
  bad: 'bad' in entry ? entry.bad : 0,
  everySeconds: 'every_s' in entry ? entry.every_s : null,
  from: minuteOf(Date.parse(entry.due)),
  to: minuteOf(Date.parse(entry.last)),
});

/** A run takes at least a minute, so that two of the same time overlap. */
const endOf = ({ from, to }: CalendarRun): number => Math.max(to, from + 1);

function findOverlaps(runs: CalendarRun[]): void {
  let open: CalendarRun[] = [];
  for (const run of runs.filter(hasRun)) {
    open = open.filter((other) => endOf(other) > run.from);
    for (const other of open) {
      other.overlaps.push(run);
      run.overlaps.push(other);
    }
    open.push(run);
  }
}

function loadOf(spans: { schedule: CalendarSchedule; from: number; to: number }[]): number[] {
  const hours = Array.from({ length: 24 }, () => new Set<number>());
  for (const { schedule, from, to } of spans) {
    const last = Math.min(23, Math.floor(Math.max(from, to - 1) / 60));
    for (let hour = Math.floor(from / 60); hour <= last; hour += 1) hours[hour]?.add(schedule.id);
  }
  return hours.map(({ size }) => size);
}

/** The runs and bands that run between two hours of a day. */
export function runningIn({ runs, bands }: CalendarColumn, fromHour: number, toHour: number) {
  const isIn = ({ from, to }: { from: number; to: number }): boolean =>
    from < toHour * 60 && Math.max(to, from + 1) > fromHour * 60;
  return { runs: runs.filter(isIn), bands: bands.filter(isIn) };
}
