// Which lines of the log show the result of a host that failed, by the results of the run.

import type { RunResult } from '#shared/api/run-results.ts';
import { pageLines, pageOf } from '../log/log-pages.ts';
import type { Section } from '../outline/outline.ts';
import type { LineRange } from '../run.queries.ts';

export interface FailedRange extends LineRange {
  /** The number of failures in the sections of its lines. */
  failures: number;
}

const failuresOf = ({ failed, unreachable, ignored, rescued }: Section): number =>
  failed + unreachable + ignored + rescued;

/** The sections with failures, also with those that the playbook ignores or rescues. */
export const failedSections = (sections: readonly Section[]): Section[] =>
  sections.filter((one) => one.kind !== 'play' && failuresOf(one) > 0);

/** The pages of the shown lines in which hosts failed. `sections`: those with failures. */
export function failedRanges(
  sections: readonly Section[],
  shown: readonly number[],
): FailedRange[] {
  return [...new Set(shown.map(pageOf))].flatMap((page) => {
    const from = page * pageLines + 1;
    const to = from + pageLines - 1;
    const inside = sections.filter(({ line, end }) => line <= to && end >= from);
    const failures = inside.reduce((sum, one) => sum + failuresOf(one), 0);
    return failures > 0 ? [{ from, to, failures }] : [];
  });
}

export type LineResult = Pick<RunResult, 'host' | 'line' | 'state' | 'items'>;

const failures = new Set(['failed', 'unreachable', 'ignored', 'rescued']);

/**
 * Tells whether a line has the result of a host that failed, or of an item of its loop. Items are
 * printed before the result of their host, between those of other hosts.
 */
export function failureFinder(
  results: readonly LineResult[],
  sections: readonly Section[],
): (line: number, text: string) => boolean {
  const lines = new Set<number>();
  const loops: { host: string; from: number; to: number }[] = [];
  for (const { host, line, state, items } of results) {
    if (line === null || !failures.has(state)) continue;
    lines.add(line);
    const from = sections.find((one) => one.line <= line && line <= one.end)?.line;
    if (items && from !== undefined) loops.push({ host, from, to: line });
  }
  return (line, text) =>
    lines.has(line) ||
    loops.some(({ host, from, to }) => from < line && line < to && text.includes(host));
}
