// The log of one task as far as it is held in the browser. Lines are kept by number, so none is
// shown twice, whether it arrives live or is loaded because somebody looks at it.

import type { LogLine, LogPage } from '#shared/api/task-log.ts';
import { createLogPages, pageLines, pageOf } from './log-pages.ts';

const maxPages = 120;
const retryDelay = 2000;
/** Requests for pages. */
const mostAtOnce = 4;

export interface LogStore {
  /** Lines there are, held or not. */
  total: () => number;
  /** The line with this number, or undefined while it is not held; lines count from 1. */
  line: (number: number) => LogLine | undefined;
  /** The highest line that arrived live, after which to go on. */
  cursor: () => number;
  append: (from: number, lines: LogLine[]) => void;
  setTotal: (total: number) => void;
  /** Go on live after this line. */
  startAfter: (line: number) => void;
  /** Loads what is missing of these lines, the first of them first. */
  need: (lines: number[]) => void;
  watch: (listener: () => void) => () => void;
  version: () => number;
}

type Load = (from: number, limit: number) => Promise<LogPage>;

export function createLogStore(load: Load): LogStore {
  const pages = createLogPages(maxPages);
  const changes = createSignal();
  let total = 0;
  let cursor = 0;

  const put = (from: number, lines: LogLine[], known = 0) => {
    pages.put(from, lines);
    total = Math.max(total, known, from + lines.length - 1);
  };
  const loadPages = createLoader(load, (page) => {
    if (page) put(page.from, page.lines, page.total);
    changes.emit();
  });

  return {
    total: () => total,
    line: pages.line,
    cursor: () => cursor,
    append: (from, lines) => {
      put(from, lines);
      cursor = Math.max(cursor, from + lines.length - 1);
      changes.emit();
    },
    setTotal: (known) => {
      total = Math.max(total, known);
      changes.emit();
    },
    startAfter: (line) => {
      cursor = line;
    },
    need: (lines) => {
      pages.look(pageOf(lines[0] ?? 1));
      loadPages(new Set(lines.filter((number) => !pages.line(number)).map(pageOf)));
    },
    watch: changes.watch,
    version: changes.version,
  };
}

function createSignal() {
  const listeners = new Set<() => void>();
  let version = 0;
  return {
    emit: () => {
      version++;
      for (const listener of listeners) listener();
    },
    watch: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
}

/**
 * Loads the pages that are wanted now, a few at a time; one that failed or came back empty not
 * again at once. A page of long lines comes in several answers.
 */
function createLoader(load: Load, loaded: (page: LogPage | null) => void) {
  const busy = new Set<number>();
  let waiting: number[] = [];
  let loading = 0;
  const ended = (): void => {
    loading -= 1;
    next();
  };
  const next = (): void => {
    while (loading < mostAtOnce) {
      const page = waiting.shift();
      if (page === undefined) return;
      loading += 1;
      busy.add(page);
      void loadWhole(page).then(ended);
    }
  };
  const loadWhole = async (page: number): Promise<void> => {
    const end = (page + 1) * pageLines;
    for (let from = page * pageLines + 1; ;) {
      const answer = await load(from, end - from + 1).catch(() => null);
      if (answer) loaded(answer);
      const count = answer?.lines.length ?? 0;
      from += count;
      if (answer && count > 0 && from <= Math.min(end, answer.total)) continue;
      const delay = count > 0 ? 0 : retryDelay;
      setTimeout(() => {
        busy.delete(page);
        if (delay > 0) loaded(null);
      }, delay);
      return;
    }
  };
  /** The first ones first; what was wanted before and has not begun is wanted no more. */
  return (pages: Set<number>): void => {
    waiting = [...pages].filter((page) => !busy.has(page));
    next();
  };
}
