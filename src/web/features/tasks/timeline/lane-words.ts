// What lanes and bars are called, and where they lead to.

import type { PlayTask } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import { stopwatch } from '../../../lib/time-ticks.ts';
import { type Counts, outcomes } from '../results/outcomes.ts';
import { toHost, toResult, toSection } from '../results/run-address.ts';
import { spanWords } from '../results/time-span.tsx';
import type { Lane } from './lanes.ts';
import type { Bar } from './result-columns.ts';

export type TaskNames = ReadonlyMap<number, string>;

/** The names of tasks by the numbers of their sections. */
export const namesOf = (tasks: readonly PlayTask[]): TaskNames =>
  new Map(tasks.flatMap(({ sections, name }) => sections.map((number) => [number, name] as const)));

const stageWords = {
  waiting: 'task.status.waiting',
  preparing: 'timeline.preparing',
  confirmation: 'task.status.waiting_confirmation',
  running: 'task.status.running',
} as const;

export function laneName(lane: Lane): string {
  if (lane.kind === 'host') return lane.host.host;
  if (lane.kind === 'stage') return t(stageWords[lane.stage]);
  return (lane.kind === 'task' ? lane.task.name : lane.name) || t('log.outline.unnamed');
}

/** The search parameters of the result that a bar leads to. */
export function addressOf(lane: Lane, bar: Bar | undefined) {
  if (lane.kind === 'task') return toSection(lane.task.section);
  if (lane.kind !== 'host') return null;
  return bar?.section == null ? toHost(lane.host.host) : toResult(lane.host.host, bar.section);
}

export const countWords = (counts: Counts): string =>
  outcomes
    .filter((state) => counts[state] > 0)
    .map((state) => t(`log.outline.${state}`, { count: counts[state] }))
    .join(', ');

/** "Copy files · 3 failed, 97 ok · at 0:12 · 4.2 sec". */
export function barWords(lane: Lane, bar: Bar, start: number, names: TaskNames): string {
  const what =
    lane.kind === 'host'
      ? [names.get(bar.section ?? 0), t(`task.hosts.${bar.state}`)]
      : [lane.kind === 'task' && countWords(lane.task)];
  const times = [
    t('timeline.at', { time: stopwatch(bar.begin - start, 1000) }),
    spanWords(bar.end - bar.begin),
  ];
  return [laneName(lane), ...what, ...times].filter(Boolean).join(' · ');
}
