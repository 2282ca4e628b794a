import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RunResults } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import type { Outline } from '../outline/outline.ts';
import { resultsOfLines } from '../run.queries.ts';
import { failedRanges, failedSections, failureFinder } from './failed-lines.ts';

/** Loads the results of the shown lines; returns which lines have the result of a host that failed. */
export function useFailedLines(
  task: Task,
  outline: Outline,
  shown: readonly number[],
): ReturnType<typeof failureFinder> {
  const sections = useMemo(() => failedSections(outline.sections), [outline]);
  const results = useQueries({
    queries: failedRanges(sections, shown).map(({ failures, from, to }) =>
      resultsOfLines(task, { from, to }, failures),
    ),
    combine: resultsIn,
  });
  return useMemo(() => failureFinder(results, sections), [results, sections]);
}

const resultsIn = (loaded: { data: RunResults | undefined }[]) =>
  loaded.flatMap(({ data }) => data?.results ?? []);
