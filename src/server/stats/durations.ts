import type { ProjectStats } from '#shared/api/stats.ts';

export interface Run {
  template_id: number;
  start: string;
  end: string;
}

export interface DayRun {
  /** The day on which it ended. */
  day: string;
  start: string;
  end: string;
}

/** Null for an empty list. */
export function median(numbers: number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const high = sorted[Math.floor(sorted.length / 2)];
  const low = sorted[Math.ceil(sorted.length / 2) - 1];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** The nearest rank: the smallest of the numbers that a share of them does not exceed. */
export function percentile(numbers: number[], share: number): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** The median of the runs of each day. */
export function mediansByDay(runs: DayRun[], days: { day: string }[]): (number | null)[] {
  const byDay = Map.groupBy(runs, ({ day }) => day);
  return days.map(({ day }) => median((byDay.get(day) ?? []).map(took)));
}

interface LaunchedTask {
  created: string;
  /** A task that is tried again later is not expected to start before this time. */
  not_before: string | null;
  start: string | null;
}

/** How long tasks waited that were launched since then. */
export function summarizeWaits(tasks: LaunchedTask[], since: string): ProjectStats['wait'] {
  const waits = tasks.flatMap(({ created, not_before, start }) => {
    if (start === null || created < since) return [];
    const due = Math.max(Date.parse(created), Date.parse(not_before ?? created));
    return [Math.max(0, (Date.parse(start) - due) / 1000)];
  });
  const [median_s, p95_s] = [median(waits), percentile(waits, 0.95)];
  return median_s === null || p95_s === null ? null : { median_s, p95_s };
}

/** In seconds; 0 if the clock was set back. */
export const took = ({ start, end }: Pick<Run, 'start' | 'end'>): number =>
  Math.max(0, (Date.parse(end) - Date.parse(start)) / 1000);

/** The median of all runs, and the templates with the highest medians. */
export function summarize(
  runs: Run[],
  limit: number,
): Pick<ProjectStats, 'median_s'> & {
  slowest: Omit<ProjectStats['slowest'][number], 'name'>[];
} {
  const all = runs.map((run) => ({ id: run.template_id, seconds: took(run) }));
  const byTemplate = Map.groupBy(all, ({ id }) => id);
  const medians = [...byTemplate].map(([id, list]) => ({
    template_id: id,
    median_s: median(list.map(({ seconds }) => seconds)) ?? 0,
    runs: list.length,
  }));
  return {
    median_s: median(all.map(({ seconds }) => seconds)),
    slowest: medians.toSorted((a, b) => b.median_s - a.median_s).slice(0, limit),
  };
}
