// The times of all results of a run, which are read page by page, and polled while it runs.

import { useEffect, useState } from 'react';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { request } from '../../../lib/api.ts';
import { noColumns, type ResultColumns, withPage } from './result-columns.ts';

const POLL_MS = 1500;
/** A smaller first page, so that the first hosts are drawn early. */
const FIRST_PAGE = 2000;
const PAGE = 10_000;

interface LoadedColumns {
  columns: ResultColumns;
  error: Error | null;
  retry: () => void;
}

export function useResultColumns(task: Task, enabled: boolean): LoadedColumns {
  const { project_id, id } = task;
  const isOver = isFinished(task.status);
  const [columns, setColumns] = useState(noColumns);
  const [error, setError] = useState<Error | null>(null);
  const isFailed = error !== null;
  useEffect(() => {
    if (!enabled || isFailed) return undefined;
    const over = new AbortController();
    const params = { project_id, task_id: id };
    let read = noColumns;
    const readOn = async (): Promise<void> => {
      for (let hasMore = true; hasMore;) {
        const query = { from: read.count + 1, limit: read.count === 0 ? FIRST_PAGE : PAGE };
        const page = await request(tasks.timeline, { params, query }, over.signal);
        if (over.signal.aborted) return;
        if (page.host.length > 0) {
          read = withPage(read, page);
          setColumns(read);
        }
        hasMore = page.next !== null;
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      try {
        await readOn();
        if (!isOver) timer = setTimeout(() => void poll(), POLL_MS);
      } catch (reason) {
        if (!over.signal.aborted)
          setError(reason instanceof Error ? reason : new Error(String(reason)));
      }
    };
    void poll();
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [project_id, id, enabled, isOver, isFailed]);
  return { columns, error, retry: () => setError(null) };
}
