// The outline of one log, which is polled while lines arrive.

import { useEffect, useState } from 'react';
import type { ShownSection } from '#shared/api/task-log.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { request } from '../../../lib/api.ts';
import { isFinished } from '#shared/task-status.ts';
import type { LogStore } from '../log/log-store.ts';
import { createOutline, noOutline, type Outline } from './outline.ts';

const askAgain = 1000;

/** `ready`: the size of the log is known. */
export function useOutline(task: Task, store: LogStore, ready: boolean): Outline {
  const { project_id, id } = task;
  const isOver = isFinished(task.status);
  const [outline, setOutline] = useState(noOutline);
  useEffect(() => {
    if (!ready) return undefined;
    const over = new AbortController();
    const params = { project_id, task_id: id };
    let sections: ShownSection[] = [];
    let through = 0;
    let busy = false;
    // Results of hosts may arrive after their lines, so a running task is polled anyway.
    let isAsked = false;
    const goOn = async (): Promise<void> => {
      if (busy || (isOver && isAsked && store.total() <= through)) return;
      busy = true;
      try {
        // The last section may have grown.
        const from = sections.at(-1)?.line ?? 1;
        const part = await request(tasks.outline, { params, query: { from } }, over.signal);
        through = part.through;
        isAsked = true;
        if (part.sections.length === 0) return;
        sections = [...sections.filter(({ line }) => line < from), ...part.sections];
        setOutline(createOutline(sections, part.is_complete));
      } catch {
        // The log works without its outline, so the request is only retried.
      } finally {
        busy = false;
      }
    };
    void goOn();
    const timer = setInterval(() => void goOn(), askAgain);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [project_id, id, store, ready, isOver]);
  return outline;
}
