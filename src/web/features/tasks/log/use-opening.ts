// The initial position of a log: a failed task at its first failure, every other one at its end.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShownFailure } from '#shared/api/run-results.ts';
import type { Task } from '#shared/api/tasks.ts';
import { runQueries } from '../run.queries.ts';
import type { LineAddress } from './line-address.ts';

/**
 * The first visible line; null for the end, and undefined until it is known. A failure while the
 * log is open changes nothing, because its readers follow the end.
 */
export function useOpening(task: Task, { marked }: LineAddress): number | null | undefined {
  const { progress, status } = task;
  const [isAsked] = useState(marked === null && status === 'error' && progress !== null);
  const { data, isPending } = useQuery({ ...runQueries.failures(task), enabled: isAsked });
  if (!isAsked) return null;
  if (isPending) return undefined;
  return firstLine(data ?? []);
}

function firstLine(failures: ShownFailure[]): number | null {
  const lines = failures.flatMap(({ line }) => (line ? [line] : []));
  return lines.length > 0 ? Math.min(...lines) : null;
}
