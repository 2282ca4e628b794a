// Computes rates and bars from the runs per day. Pure.

import type { DayStats } from '#shared/api/stats.ts';

/** How a run can end, from the bottom of a bar to its top. */
export const results = ['success', 'error', 'stopped'] as const;
export type Result = (typeof results)[number];
export type Counts = Record<Result, number>;

export const sumOf = (counts: Counts): number =>
  results.reduce((sum, result) => sum + counts[result], 0);

export function totalsOf(days: Counts[]): Counts {
  const totals: Counts = { success: 0, error: 0, stopped: 0 };
  for (const day of days) for (const result of results) totals[result] += day[result];
  return totals;
}

/** The part of the runs that succeeded of those that were not stopped; null: there are none. */
export function successRate({ success, error }: Counts): number | null {
  return success + error === 0 ? null : success / (success + error);
}

/**
 * A rate in percent. Only all are 100 %, and only none are 0 %: one failure among thousands must
 * not be rounded away.
 */
export function percentOf(rate: number): number {
  const percent = Math.round(rate * 1000) / 10;
  if (rate < 1 && percent === 100) return 99.9;
  return rate > 0 && percent === 0 ? 0.1 : percent;
}

/**
 * The tops of the stacked parts of each bar, the highest part first: that is the order of drawing,
 * since each part is drawn from the ground on.
 */
export function stacked(days: Counts[]): number[][] {
  return results
    .map((_, part) =>
      days.map((day) => results.slice(0, part + 1).reduce((sum, one) => sum + day[one], 0)),
    )
    .toReversed();
}

const parsed = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** A day in words: "21 Nov", or with its weekday. */
export function dayWords(day: DayStats['day'], language: string, withWeekday = false): string {
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(withWeekday && { weekday: 'short' }),
  }).format(parsed(day));
}
