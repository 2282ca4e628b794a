import { describe, expect, test } from 'vitest';
import type { PlayTask } from '#shared/api/run-results.ts';
import { countStates } from '../results/outcomes.ts';
import { preparingLane, stageLanes, taskLanes, wholeSpan } from './lanes.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const ms = (second: number) => Date.parse(at(second));

const task = {
  created: at(0),
  start: at(10),
  confirmed_at: null,
  end: at(30),
  status: 'success',
} as const;

const noCounts = countStates([]);

const playTask = (section: number, play: string, begin: number | null, end: number | null) =>
  ({
    section,
    sections: [section],
    play,
    name: `task ${section}`,
    begin: begin === null ? null : at(begin),
    end: end === null ? null : at(end),
    ...noCounts,
    ok: 2,
    failed: section === 3 ? 1 : 0,
  }) as unknown as PlayTask;

describe('the stages of a run', () => {
  const stagesOf = (lanes: ReturnType<typeof stageLanes>) =>
    lanes.map((lane) =>
      lane.kind === 'stage' ? [lane.stage, lane.begin - ms(0), lane.end - ms(0)] : [],
    );

  test('without a confirmation', () => {
    expect(stagesOf(stageLanes(task, 0))).toEqual([
      ['waiting', 0, 10_000],
      ['running', 10_000, 30_000],
    ]);
    const waiting = { ...task, status: 'waiting', start: null, end: null } as const;
    expect(stagesOf(stageLanes(waiting, ms(4)))).toEqual([['waiting', 0, 4000]]);
  });

  test('with a confirmation before and after a runner has begun', () => {
    expect(stagesOf(stageLanes({ ...task, confirmed_at: at(5) }, 0))).toEqual([
      ['confirmation', 0, 5000],
      ['waiting', 5000, 10_000],
      ['running', 10_000, 30_000],
    ]);
    expect(stagesOf(stageLanes({ ...task, confirmed_at: at(20) }, 0))).toEqual([
      ['waiting', 0, 10_000],
      ['confirmation', 10_000, 20_000],
      ['running', 20_000, 30_000],
    ]);
  });

  test('while it waits for one', () => {
    const planned = { ...task, status: 'waiting_confirmation', end: null } as const;
    expect(stagesOf(stageLanes(planned, ms(25)))).toEqual([
      ['waiting', 0, 10_000],
      ['confirmation', 10_000, 25_000],
    ]);
    expect(stagesOf(stageLanes({ ...planned, start: null }, ms(25)))).toEqual([
      ['confirmation', 0, 25_000],
    ]);
  });
});

describe('the tasks of a run', () => {
  const tasks = [
    playTask(2, 'one', 12, 14),
    playTask(3, 'one', 14, 20),
    playTask(5, 'two', 20, 21),
  ];

  test('have a heading for each play, and a bar with their worst result', () => {
    expect(taskLanes(task, tasks, 0)).toMatchObject([
      { kind: 'group', name: 'one' },
      { kind: 'task', bar: { begin: ms(12), end: ms(14), state: 'ok', section: 2 } },
      { kind: 'task', bar: { begin: ms(14), end: ms(20), state: 'failed', section: 3 } },
      { kind: 'group', name: 'two' },
      { kind: 'task', bar: { begin: ms(20), end: ms(21), state: 'ok', section: 5 } },
    ]);
  });

  test('grow while the last one runs', () => {
    const running = { ...task, status: 'running', end: null } as const;
    expect(taskLanes(running, tasks, ms(40)).at(-1)).toMatchObject({ bar: { end: ms(40) } });
    expect(taskLanes(running, tasks, ms(40)).at(1)).toMatchObject({ bar: { end: ms(14) } });
  });

  test('have no bar without a time', () => {
    expect(taskLanes(task, [playTask(2, 'one', null, null)], 0)[1]).toMatchObject({ bar: null });
  });

  test('the whole span begins with the preparation, unless its clock was ahead', () => {
    expect(preparingLane({ ...task, start: at(13) }, tasks)).toEqual([]);
    expect(preparingLane(task, [])).toEqual([]);
    const lanes = [...preparingLane(task, tasks), ...taskLanes(task, tasks, 0)];
    expect(wholeSpan(lanes)).toEqual({ begin: ms(10), end: ms(21) });
    expect(wholeSpan([])).toBeNull();
  });
});
