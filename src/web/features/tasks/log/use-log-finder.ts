// The search in the log of one task, which continues while lines arrive.

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { textPattern } from '#shared/terminal.ts';
import { request } from '../../../lib/api.ts';
import { type LogMatches, LogFinder } from './log-finder.ts';
import type { LogStore } from './log-store.ts';

const pageHits = 1000;
const lookAgain = 2000;

export interface LogSearch {
  finder: LogFinder;
  found: LogMatches;
  /** The pattern to mark; null without a search. */
  pattern: RegExp | null;
}

export function useLogFinder(task: Task, store: LogStore): LogSearch {
  const params = { project_id: task.project_id, task_id: task.id };
  const [finder] = useState(
    () =>
      new LogFinder(({ text, matchCase }, from, signal) => {
        const query = { q: text, case: matchCase ? 'on' : 'off', from, limit: pageHits };
        return request(tasks.search, { params, query }, signal);
      }),
  );
  const found = useSyncExternalStore(finder.watch, finder.found);
  const { text, matchCase } = found;
  useEffect(() => {
    const timer = setInterval(() => void finder.goOn(store.total()), lookAgain);
    return () => clearInterval(timer);
  }, [finder, store]);
  useEffect(() => () => void finder.find({ text: '', matchCase: false }), [finder]);
  const pattern = useMemo(
    () => (text === '' ? null : textPattern(text, matchCase, 'g')),
    [text, matchCase],
  );
  return { finder, found, pattern };
}
