// The order of outcomes, hosts and tasks by severity. Pure functions.

import {
  type PlayTask,
  type ResultState,
  resultStates,
  type RunHost,
} from '#shared/api/run-results.ts';
import { noCounts } from '../outline/outline.ts';

/** The worst first. */
export const outcomes = resultStates.toReversed();

export type Counts = Record<ResultState, number>;

/** The worst outcome; `skipped` if there is none. */
export const worstOf = (counts: Counts): ResultState =>
  outcomes.find((name) => counts[name] > 0) ?? 'skipped';

export const isBad = (state: ResultState): boolean => state === 'unreachable' || state === 'failed';

const names = new Intl.Collator('en', { numeric: true });

/** Sorted by the worst outcome, then by name in natural order: `web-2` before `web-10`. */
export function sortHosts(hosts: readonly RunHost[]): RunHost[] {
  const ranked = hosts.map((host) => ({ host, rank: outcomes.indexOf(worstOf(host)) }));
  ranked.sort(
    (one, other) => one.rank - other.rank || names.compare(one.host.host, other.host.host),
  );
  return ranked.map(({ host }) => host);
}

/** The number of items by their worst outcome. */
export const countWorst = (all: readonly Counts[]): Counts =>
  countStates(all.map((one) => ({ state: worstOf(one) })));

export function countStates(all: readonly { state: ResultState }[]): Counts {
  const counts = noCounts();
  for (const { state } of all) counts[state] += 1;
  return counts;
}

/** Whether a text contains all words of a search, ignoring case. */
export function hasWords(text: string, search: string): boolean {
  const whole = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** A row of the list of tasks: a task, or the play of the tasks from `section` on. */
export interface TaskItem {
  play: string;
  section: number;
  task: PlayTask | null;
}

/** The tasks in their order, grouped by play; or the slowest first, without plays. */
export function listTasks(tasks: readonly PlayTask[], slowestFirst: boolean): TaskItem[] {
  if (slowestFirst) {
    return tasks
      .toSorted((one, other) => other.duration_ms - one.duration_ms)
      .map((task) => ({ play: task.play, section: task.section, task }));
  }
  const items: TaskItem[] = [];
  for (const [index, task] of tasks.entries()) {
    const { play, section } = task;
    const isFirst = index === 0 || tasks[index - 1]?.play !== play;
    if (isFirst) items.push({ play, section, task: null });
    items.push({ play, section, task });
  }
  return items;
}
