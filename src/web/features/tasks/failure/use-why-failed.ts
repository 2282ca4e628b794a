// The failures of a task by their cause, or else the end of its log.

import { useQuery } from '@tanstack/react-query';
import type { ShownFailure } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { runQueries } from '../run.queries.ts';

/** More than are shown, because some lines are empty. */
export const linesRead = 30;

interface WhyFailed {
  isLoading: boolean;
  groups: ShownFailure[];
  /** The end of the log; empty if there are groups, or if the log has no more than the failure. */
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
  // The log of a failed preparation contains only the failure.
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
