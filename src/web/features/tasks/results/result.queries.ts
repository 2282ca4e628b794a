import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ResultState, RunResults } from '#shared/api/run-results.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { request } from '../../../lib/api.ts';

const resultsAtOnce = 100;

export interface ResultsOf {
  host?: string;
  section?: number;
  state?: ResultState;
}

export function resultsOf({ project_id, id }: Pick<Task, 'project_id' | 'id'>, of: ResultsOf) {
  const params = { project_id, task_id: id };
  return infiniteQueryOptions({
    // The parts of a key of query.ts, and one to distinguish this entry from a single page.
    queryKey: [tasks.results.path, params, of, 'all'] as const,
    queryFn: ({ pageParam, signal }): Promise<RunResults> => {
      const query = { ...of, from: pageParam, limit: resultsAtOnce };
      return request(tasks.results, { params, query }, signal);
    },
    initialPageParam: 1,
    getNextPageParam: ({ next }: RunResults) => next,
  });
}
