import { expect, test } from 'vitest';
import type { CalendarSchedule, ScheduleCalendar } from '#shared/api/schedule-calendar.ts';
import { placeRuns } from './calendar-layout.ts';
import { type CalendarColumn, columnsOf, runningIn } from './calendar-model.ts';

const at = (time: string): string => `2026-12-01T${time}:00.000Z`;

const due = (time: string, last = time, count = 1) => ({
  due: at(time),
  last: at(last),
  count,
  every_s: count > 1 ? 300 : null,
});

const schedule = (id: number, change: Partial<CalendarSchedule>): CalendarSchedule => ({
  id,
  name: `Schedule ${id}`,
  template_id: 1,
  tpl_name: 'Back up',
  workflow_id: null,
  workflow_name: null,
  active: true,
  expected_s: 1800,
  past: [],
  due: [],
  ...change,
});

/** The first of December. */
function dayWith(schedules: CalendarSchedule[]): CalendarColumn {
  const from = at('00:00');
  const days = [{ day: '2026-12-01', from, to: '2026-12-02T00:00:00.000Z' }];
  const calendar: ScheduleCalendar = {
    time_zone: 'UTC',
    now: from,
    days,
    schedules,
    has_more: false,
  };
  const [column] = columnsOf(calendar);
  if (!column) throw new Error('The calendar has no day.');
  return column;
}

const namesOf = (runs: { schedule: CalendarSchedule }[]) => runs.map((run) => run.schedule.name);

test('runs overlap while both run, not where one ends as the other begins', () => {
  const { runs, load } = dayWith([
    schedule(1, { due: [due('02:00')] }),
    schedule(2, { due: [due('02:15')] }),
    schedule(3, { due: [due('02:45')] }),
  ]);
  expect(runs.map(({ overlaps }) => namesOf(overlaps))).toEqual([
    ['Schedule 2'],
    ['Schedule 1'],
    [],
  ]);
  expect(load.slice(1, 5)).toEqual([0, 3, 1, 0]);
});

test('what was missed takes no time and overlaps nothing', () => {
  const missed = { ...due('02:00'), result: 'missed', bad: 1 } as const;
  const none = { task_id: null, workflow_run_id: null, duration_s: null };
  const { runs, load } = dayWith([
    schedule(1, { past: [{ ...missed, ...none }] }),
    schedule(2, { due: [due('02:00')] }),
  ]);
  expect(runs.map(({ result, seconds, overlaps }) => [result, seconds, overlaps])).toEqual([
    ['missed', null, []],
    ['due', 1800, []],
  ]);
  expect(load[2]).toBe(1);
});

test('many due times are a band, which counts once in each of its hours', () => {
  const { runs, bands, load } = dayWith([schedule(1, { due: [due('08:00', '10:55', 36)] })]);
  expect(runs).toEqual([]);
  expect(bands).toMatchObject([{ count: 36, everySeconds: 300, from: 480, to: 655 }]);
  expect(load.slice(7, 12)).toEqual([0, 1, 1, 1, 0]);
});

test('a run beyond midnight ends with the day', () => {
  const { runs } = dayWith([schedule(1, { due: [due('23:50')] })]);
  expect(runs).toMatchObject([{ from: 1430, to: 1440 }]);
});

test('lists what runs between two hours, also what began before', () => {
  const column = dayWith([
    schedule(1, { due: [due('01:45')] }),
    schedule(2, { due: [due('03:59')] }),
    schedule(3, { due: [due('04:00')] }),
    schedule(4, { due: [due('00:00', '23:55', 288)] }),
  ]);
  const { runs, bands } = runningIn(column, 2, 4);
  expect([namesOf(runs), namesOf(bands)]).toEqual([['Schedule 1', 'Schedule 2'], ['Schedule 4']]);
});

test('runs of the same time are side by side, and those without a lane are counted', () => {
  const { runs } = dayWith([1, 2, 3, 4, 5].map((id) => schedule(id, { due: [due('02:00')] })));
  const wide = placeRuns(runs, 5);
  expect([wide.placed.map(({ lane, lanes }) => [lane, lanes]), wide.hidden]).toEqual([
    [0, 1, 2, 3, 4].map((lane) => [lane, 5]),
    [],
  ]);
  const { placed, hidden } = placeRuns(runs, 3);
  expect(placed.map(({ lane, lanes }) => [lane, lanes])).toEqual([
    [0, 3],
    [1, 3],
  ]);
  expect(hidden.map(({ runs: counted }) => counted.length)).toEqual([3]);
});
