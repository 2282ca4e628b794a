// The outline of one log, which is polled while lines arrive.

import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ShownSection } from '#shared/api/task-log.ts';
import { type Task, tasks } from '#shared/api/tasks.ts';
import { isFinished } from '#shared/task-status.ts';
import { request } from '../../../lib/api.ts';
import type { LogStore } from '../log/log-store.ts';
import { around, canFold, createOutline, foldedLines, noOutline, type Outline } from './outline.ts';
import { createFolds, type Fold, type Folds } from './folds.ts';

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

export interface Folding {
  outline: Outline;
  folds: Folds;
  folded: ReadonlySet<number>;
  toggle: (line: number) => void;
  unfoldAround: (line: number) => void;
  /** Folds all tasks, so that their headings remain; or unfolds everything. */
  foldAll: (isFolded: boolean) => void;
}

const none: ReadonlySet<number> = new Set();

export function useFolding(outline: Outline): Folding {
  const [folded, setFolded] = useState(none);
  const ranges = useMemo(() => foldedLines(outline, folded), [outline, folded]);
  const [shown, setShown] = useState(() => ({ ranges, folds: createFolds(ranges) }));
  // A longer outline mostly folds the same lines; then the rows need no new computation.
  if (!isSame(ranges, shown.ranges)) setShown({ ranges, folds: createFolds(ranges) });
  const toggle = useCallback((line: number) => {
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(line)) next.add(line);
      return next;
    });
  }, []);
  return {
    outline,
    folds: shown.folds,
    folded,
    toggle,
    unfoldAround: (line) => {
      const next = new Set(folded);
      for (const opened of around(outline, line)) next.delete(opened);
      setFolded(next);
    },
    foldAll: (isFolded) => {
      const foldable = outline.sections.filter((one) => one.kind !== 'play' && canFold(one));
      setFolded(isFolded ? new Set(foldable.map(({ line }) => line)) : none);
    },
  };
}

const isSame = (some: Fold[], others: Fold[]): boolean =>
  some.length === others.length &&
  some.every(({ from, to }, index) => from === others[index]?.from && to === others[index]?.to);
