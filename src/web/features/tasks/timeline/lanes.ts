// The lanes of the timeline: stages of the run, and a lane for each task or host. Pure functions.

import type { PlayTask, RunHost } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { type Counts, listTasks, worstOf } from '../results/outcomes.ts';
import { type Bar, barsOfHost, type ResultColumns } from './result-columns.ts';

type Stage = 'waiting' | 'preparing' | 'confirmation' | 'running';

export interface Span {
  begin: number;
  end: number;
}

export type Lane = { key: string } & (
  | { kind: 'group'; name: string }
  | ({ kind: 'stage'; stage: Stage } & Span)
  | { kind: 'task'; task: PlayTask; bar: Bar | null }
  | { kind: 'host'; host: RunHost }
);

const timeOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

const laneOf = (stage: Stage, begin: number, end: number): Lane[] =>
  end > begin ? [{ kind: 'stage', key: stage, stage, begin, end }] : [];

type Times = Pick<Task, 'created' | 'start' | 'confirmed_at' | 'end' | 'status'>;

/** The stages of a run that reports no results of hosts. */
export function stageLanes(task: Times, now: number): Lane[] {
  const created = Date.parse(task.created);
  const end = timeOf(task.end) ?? now;
  const start = timeOf(task.start) ?? end;
  const isUnconfirmed = task.status === 'waiting_confirmation';
  const confirmed = timeOf(task.confirmed_at) ?? (isUnconfirmed ? end : null);
  // Some tasks are confirmed before a runner begins, others after they have made a plan.
  if (confirmed === null) {
    return [...laneOf('waiting', created, start), ...laneOf('running', start, end)];
  }
  const isEarly = confirmed <= start && !(isUnconfirmed && task.start !== null);
  return isEarly
    ? [
        ...laneOf('confirmation', created, confirmed),
        ...laneOf('waiting', confirmed, start),
        ...laneOf('running', start, end),
      ]
    : [
        ...laneOf('waiting', created, start),
        ...laneOf('confirmation', start, confirmed),
        ...laneOf('running', confirmed, end),
      ];
}

/** The time from the start of the task to its first Ansible task. */
export function preparingLane(task: Times, tasks: readonly PlayTask[]): Lane[] {
  const start = timeOf(task.start);
  const first = firstBegin(tasks);
  return start === null || first === null ? [] : laneOf('preparing', start, first);
}

function firstBegin(tasks: readonly PlayTask[]): number | null {
  let first: number | null = null;
  for (const { begin } of tasks) {
    const time = timeOf(begin);
    if (time !== null && (first === null || time < first)) first = time;
  }
  return first;
}

/** A lane for each task, with a heading for each play. */
export function taskLanes(task: Times, tasks: readonly PlayTask[], now: number): Lane[] {
  const last = tasks.at(-1)?.section;
  return listTasks(tasks, false).map(({ play, section, task: one }): Lane => {
    if (!one) return { kind: 'group', key: `play-${section}`, name: play };
    const isRunning = section === last && !isFinished(task.status);
    return { kind: 'task', key: `task-${section}`, task: one, bar: barOf(one, isRunning, now) };
  });
}

function barOf(task: PlayTask, isRunning: boolean, now: number): Bar | null {
  const begin = timeOf(task.begin);
  if (begin === null) return null;
  const end = isRunning ? Math.max(begin, now) : (timeOf(task.end) ?? begin);
  return { begin, end, state: worstOf(task), section: task.section };
}

export const hostLanes = (hosts: readonly RunHost[]): Lane[] =>
  hosts.map((host) => ({ kind: 'host', key: `host-${host.host}`, host }));

/** From the first to the last time of all lanes; null: there is none. */
export function wholeSpan(lanes: readonly Lane[]): Span | null {
  let [begin, end] = [Infinity, -Infinity];
  for (const lane of lanes) {
    const span = spanOf(lane);
    if (!span) continue;
    begin = Math.min(begin, span.begin);
    end = Math.max(end, span.end);
  }
  return end < begin ? null : { begin, end: Math.max(end, begin + 1) };
}

function spanOf(lane: Lane): Span | null {
  if (lane.kind === 'stage') return lane;
  return lane.kind === 'task' ? lane.bar : null;
}

/** The bars of a lane, from the earliest on. */
export function barsOf(lane: Lane, columns: ResultColumns): readonly Bar[] {
  if (lane.kind === 'host') return barsOfHost(columns, lane.host.host);
  const span = spanOf(lane);
  return span === null ? [] : [{ state: 'ok', section: null, ...span }];
}

/** The results of the task or host of a lane; null: it is a heading or a stage. */
export function countsOf(lane: Lane): Counts | null {
  if (lane.kind === 'task') return lane.task;
  return lane.kind === 'host' ? lane.host : null;
}
