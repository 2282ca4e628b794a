// The outcomes of tasks on hosts: which one is worst, and the order in which hosts and tasks are shown.
// All functions are pure.

import type { PlayTask, ResultState, RunHost } from '#shared/api/run-results.ts';

/** The outcomes, the worst first. */
export const outcomes = [
  'unreachable',
  'failed',
  'rescued',
  'ignored',
  'changed',
  'ok',
  'skipped',
] as const satisfies ResultState[];

export type Counts = Record<ResultState, number>;

/** The worst outcome; `skipped` if nothing was done at all. */
export const worstOf = (counts: Counts): ResultState =>
  outcomes.find((name) => counts[name] > 0) ?? 'skipped';

export const isBad = (state: ResultState): boolean => state === 'unreachable' || state === 'failed';

const names = new Intl.Collator('en', { numeric: true });

/** The hosts with the worst outcome first, and by their names among equals: `web-2` before `web-10`. */
export function sortHosts(hosts: readonly RunHost[]): RunHost[] {
  const ranked = hosts.map((host) => ({ host, rank: outcomes.indexOf(worstOf(host)) }));
  ranked.sort(
    (one, other) => one.rank - other.rank || names.compare(one.host.host, other.host.host),
  );
  return ranked.map(({ host }) => host);
}

/** How many there are of each worst outcome. */
export const countWorst = (all: readonly Counts[]): Counts =>
  countStates(all.map((one) => ({ state: worstOf(one) })));

/** How many there are of each outcome. */
export function countStates(all: readonly { state: ResultState }[]): Counts {
  const counts: Counts = {
    unreachable: 0,
    failed: 0,
    rescued: 0,
    ignored: 0,
    changed: 0,
    ok: 0,
    skipped: 0,
  };
  for (const { state } of all) counts[state] += 1;
  return counts;
}

/** Whether a text contains all words of a search, in any case. */
export function hasWords(text: string, search: string): boolean {
  const whole = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** A row of the list of tasks: a task, or the play above the tasks from `section` on. */
export interface TaskItem {
  play: string;
  section: number;
  task: PlayTask | null;
}

/** The tasks in their order, with their plays between them; or the slowest first, without plays. */
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
