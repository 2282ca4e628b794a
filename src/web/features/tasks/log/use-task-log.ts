// The log of one task: a running log is followed from near its end, everything else is loaded when
// it is visible.

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import { type Task, tasks } from '#shared/api/tasks.ts';
import { liveWidth, type ServerMessage } from '#shared/api/live.ts';
import { isFinished } from '#shared/task-status.ts';
import type { ShownFailure } from '#shared/api/run-results.ts';
import { textPattern } from '#shared/terminal.ts';
import { call, request } from '../../../lib/api.ts';
import { live } from '../../../lib/live.ts';
import { runQueries } from '../run.queries.ts';
import { createLogStore, type LogStore } from './log-store.ts';
import type { LineAddress } from './line-address.ts';
import { LogFinder, type LogMatches } from './log-finder.ts';

/** How many lines before its end a running log is loaded, so that a long one opens at once. */
const tail = 2000;

interface TaskLog {
  store: LogStore;
  ready: boolean;
  failure: unknown;
}

export function useTaskLog(task: Task): TaskLog {
  const params = { project_id: task.project_id, task_id: task.id };
  const load = (from: number, limit: number) =>
    call(tasks.lines, { params, query: { from, limit, width: liveWidth } });
  const [store] = useState(() => createLogStore(load));
  const [follows] = useState(() => !isFinished(task.status));
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  useEffect(() => {
    let unsubscribe: (() => void) | undefined;
    let closed = false;
    const received = (message: ServerMessage) => {
      if (message.type === 'lines') store.append(message.from, message.lines);
      else if (message.type === 'partial') store.setPartial(message.after, message.output);
      else if (message.type === 'log_end') {
        store.setTotal(message.total);
        store.setPartial(-1, '');
      }
    };
    const open = async () => {
      const { total } = await call(tasks.lines, { params, query: { from: 1, limit: 1, width: 1 } });
      if (closed) return;
      store.setTotal(total);
      setReady(true);
      if (!follows) return;
      store.startAfter(Math.max(store.cursor(), total - tail, 0));
      const topic = { topic: 'task_log' as const, ...params };
      unsubscribe = live.subscribe({ topic, after: store.cursor, onMessage: received });
    };
    open().catch(setFailure);
    return () => {
      closed = true;
      unsubscribe?.();
    };
    // Each task has its own log component (by key), so the parameters never change.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [store, follows]);

  return { store, ready, failure };
}

/** Renders again when lines arrive, at most once per animation frame. */
export function useLogChanges(store: LogStore): void {
  const [watch] = useState(() => (listener: () => void) => {
    let frame = 0;
    const unwatch = store.watch(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        listener();
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      unwatch();
    };
  });
  useSyncExternalStore(watch, store.version);
}

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
