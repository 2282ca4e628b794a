// What tells why a task failed: the failures by their cause, or the end of its log where it has none.

import { useQuery } from '@tanstack/react-query';
import type { ShownFailure } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { runQueries } from '../run.queries.ts';

/** How many lines of the end of the log are read, because some of them are empty. */
export const linesRead = 30;

interface WhyFailed {
  isLoading: boolean;
  groups: ShownFailure[];
  /** The end of the log; empty if there are groups, or if it tells nothing more. */
  end: string;
}

export function useWhyFailed(task: Task): WhyFailed {
  const { status, progress, failure } = task;
  const isFailed = status === 'error';
  const failures = useQuery({
    ...runQueries.failures(task),
    enabled: isFailed && progress !== null,
  });
  const groups = failures.data ?? [];
  const hasGroups = failures.isLoading || groups.length > 0;
  // The reason of a failed preparation is all that its log says.
  const hasEnd = task.log_lines > 0 && failure !== null && failure.code !== 'failure.preparation';
  const last = useQuery({
    ...runQueries.lastLines(task, linesRead),
    enabled: isFailed && !hasGroups && hasEnd,
  });
  return {
    isLoading: failures.isLoading || last.isLoading,
    groups,
    end: hasGroups ? '' : (last.data ?? ''),
  };
}
