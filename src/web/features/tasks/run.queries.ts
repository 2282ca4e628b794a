import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { pathOf } from '#shared/api/path.ts';
import { type Task, tasks } from '#shared/api/tasks.ts';
import type { ResultState, RunResults } from '#shared/api/run-results.ts';
import { query, send } from '../../lib/query.ts';
import { request } from '../../lib/api.ts';

type TaskRef = Pick<Task, 'project_id' | 'id'>;
const paramsOf = ({ project_id, id }: TaskRef) => ({ project_id, task_id: id });

export const runQueries = {
  hosts: (task: TaskRef) => query(tasks.hosts, { params: paramsOf(task) }),
  playTasks: (task: TaskRef) => query(tasks.playTasks, { params: paramsOf(task) }),
  failures: (task: TaskRef) => query(tasks.failures, { params: paramsOf(task) }),
  lastLines: (task: TaskRef & Pick<Task, 'log_lines'>, limit: number) =>
    query(tasks.text, {
      params: paramsOf(task),
      query: { from: Math.max(1, task.log_lines - limit + 1), limit },
    }),
};

/** The download address of the table of all hosts. */
export const hostTable = (task: TaskRef): string =>
  pathOf(tasks.hostTable, { params: paramsOf(task) });

export const runAgain = () =>
  send(tasks.runAgain, { refresh: [tasks.list, tasks.count, tasks.lastOfTemplate] });

/**
 * The results of these lines of the log. `failures`: their number as far as it is known, since results may
 * be reported after their lines.
 */
export const resultsOfLines = (task: TaskRef, lines: LineRange, failures: number) =>
  queryOptions({
    queryKey: [tasks.results.path, paramsOf(task), lines, failures] as const,
    queryFn: ({ signal }): Promise<RunResults> =>
      request(
        tasks.results,
        {
          params: paramsOf(task),
          query: {
            from_line: lines.from,
            to_line: lines.to,
            from: 1,
            limit: lines.to - lines.from + 1,
          },
        },
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface LineRange {
  from: number;
  to: number;
}

const resultsAtOnce = 100;

export interface ResultsOf {
  host?: string;
  section?: number;
  state?: ResultState;
}

export const resultsOf = (task: TaskRef, of: ResultsOf) =>
  infiniteQueryOptions({
    // The parts of a key of query.ts, and one to distinguish this entry from a single page.
    queryKey: [tasks.results.path, paramsOf(task), of, 'all'] as const,
    queryFn: ({ pageParam, signal }): Promise<RunResults> =>
      request(
        tasks.results,
        { params: paramsOf(task), query: { ...of, from: pageParam, limit: resultsAtOnce } },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next }: RunResults) => next,
  });
