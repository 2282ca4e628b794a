import {
  calendarResults,
  type CalendarDay,
  type CalendarFire,
  type CalendarResult,
} from '#shared/api/schedule-calendar.ts';
import type { FireGroup } from './calendar.store.ts';
import { MAX_SINGLE_PER_DAY } from './group-times.ts';

/** The fires of a schedule, the oldest first: each by itself, or one band for a day with many. */
export function pastFires(groups: FireGroup[], days: CalendarDay[]): CalendarFire[] {
  return days.flatMap(({ from, to }) => {
    const ofDay = groups.filter(({ due }) => due >= from && due < to).map(fireOf);
    const total = ofDay.reduce((sum, { count }) => sum + count, 0);
    return total > MAX_SINGLE_PER_DAY ? [bandOf(ofDay)] : ofDay;
  });
}

function fireOf({ task_status, run_status, start, end, ...group }: FireGroup): CalendarFire {
  const { due, last, count, task_id, workflow_run_id } = group;
  const result = resultOf(group.result, task_status ?? run_status);
  return {
    due,
    last,
    count,
    result,
    bad: isBad(result) ? count : 0,
    task_id,
    workflow_run_id,
    duration_s: count === 1 && start && end ? secondsBetween(start, end) : null,
  };
}

const secondsBetween = (start: string, end: string): number =>
  Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / 1000));

const isBad = (result: CalendarResult): boolean => result === 'failed' || result === 'missed';

function resultOf(
  result: FireGroup['result'],
  status: FireGroup['task_status'] | FireGroup['run_status'],
): CalendarResult {
  if (result === 'checking') return 'running';
  if (result !== 'started') return result;
  if (status === null) return 'started';
  if (status === 'error') return 'failed';
  return status === 'success' || status === 'stopped' ? status : 'running';
}

function bandOf(fires: CalendarFire[]): CalendarFire {
  const newest = (ids: (number | null)[]): number | null =>
    ids.reduce((one, other) => (Number(other) > Number(one) ? other : one), null);
  const results = new Set(fires.map(({ result }) => result));
  const times = fires.flatMap(({ due, last }) => [due, last]).toSorted();
  return {
    due: times[0] ?? '',
    last: times.at(-1) ?? '',
    count: fires.reduce((sum, { count }) => sum + count, 0),
    result: calendarResults.find((result) => results.has(result)) ?? 'started',
    bad: fires.reduce((sum, { bad }) => sum + bad, 0),
    task_id: newest(fires.map(({ task_id }) => task_id)),
    workflow_run_id: newest(fires.map(({ workflow_run_id }) => workflow_run_id)),
    duration_s: null,
  };
}
