// The plays and tasks of one log; asks on while lines arrive.

import { useEffect, useState } from 'react';
import type { LogSection } from '#shared/api/task-log.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { request } from '../../../lib/api.ts';
import type { LogStore } from '../log/log-store.ts';
import { createOutline, noOutline, type Outline } from './outline.ts';

const askAgain = 1000;

/** `ready`: the size of the log is known. */
export function useOutline({ project_id, id }: Task, store: LogStore, ready: boolean): Outline {
  const [outline, setOutline] = useState(noOutline);
  useEffect(() => {
    if (!ready) return undefined;
    const over = new AbortController();
    const params = { project_id, task_id: id };
    let sections: LogSection[] = [];
    let through = 0;
    let busy = false;
    const goOn = async (): Promise<void> => {
      if (busy || store.total() <= through) return;
      busy = true;
      try {
        // The last section may have grown.
        const from = sections.at(-1)?.line ?? 1;
        const told = await request(tasks.outline, { params, query: { from } }, over.signal);
        through = told.through;
        if (told.sections.length === 0) return;
        sections = [...sections.filter(({ line }) => line < from), ...told.sections];
        setOutline(createOutline(sections, told.is_complete));
      } catch {
        // A log can be read without its outline; it is asked for again.
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
  }, [project_id, id, store, ready]);
  return outline;
}
