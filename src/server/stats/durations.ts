import type { ProjectStats } from '#shared/api/stats.ts';

export interface Run {
  template_id: number;
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
