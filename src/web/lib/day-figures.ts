// Computes rates from the runs of each day. Pure functions.

import type { DayStats } from '#shared/api/stats.ts';
import { span } from './time.ts';

/** In the order of the stacked bar, from its bottom. */
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

/** The share of successful runs among those that were not stopped; null if there are none. */
export function successRate({ success, error }: Counts): number | null {
  return success + error === 0 ? null : success / (success + error);
}

/**
 * Rounds a rate to percent; 100 % and 0 % are exact, so that one failure among thousands is not
 * rounded away.
 */
export function percentOf(rate: number): number {
  const percent = Math.round(rate * 1000) / 10;
  if (rate < 1 && percent === 100) return 99.9;
  return rate > 0 && percent === 0 ? 0.1 : percent;
}

/** A median, rounded down to whole seconds as the duration of a task. */
export const medianWords = (seconds: number | null, language: string): string =>
  seconds === null ? '—' : span(seconds, language);

export interface Picked {
  from?: string | undefined;
  to?: string | undefined;
  status?: string | undefined;
}

const parsed = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** For example "21 Nov". */
export function dayWords(day: DayStats['day'], language: string, withWeekday = false): string {
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(withWeekday && { weekday: 'short' }),
  }).format(parsed(day));
}
