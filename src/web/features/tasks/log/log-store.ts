// The lines of one task's log that the browser holds. Lines are stored by number, so none is shown
// twice, whether it arrives live or is loaded because it is visible.

import type { LogLine, LogPage } from '#shared/api/task-log.ts';
import { createLogPages, pageLines, pageOf } from './log-pages.ts';

const maxPages = 120;
const retryDelay = 2000;
const MAX_CONCURRENT = 4;

export interface LogStore {
  /** The number of lines, loaded or not. */
  total: () => number;
  /** The line with this number, from 1; undefined while it is not loaded. */
  line: (number: number) => LogLine | undefined;
  /** The highest line that arrived live, after which the subscription continues. */
  cursor: () => number;
  append: (from: number, lines: LogLine[]) => void;
  setTotal: (total: number) => void;
  /** Stores the unfinished line after `after` complete lines. */
  setPartial: (after: number, output: string) => void;
  /** The text of the unfinished line; empty if there is none. */
  partial: () => string;
  /** Continues live after this line. */
  startAfter: (line: number) => void;
  /** Loads the missing ones of these lines, in this order. */
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
  let partial = { after: -1, output: '' };

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
    setPartial: (after, output) => {
      partial = { after, output };
      changes.emit();
    },
    partial: () => (partial.after === total ? partial.output : ''),
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
 * Loads the requested pages with a limit on parallel requests. A page that failed or was empty is
 * not requested again at once. A page of long lines arrives in several responses.
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
    while (loading < MAX_CONCURRENT) {
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
  /** Replaces the queue of pages that are not being loaded yet. */
  return (pages: Set<number>): void => {
    waiting = [...pages].filter((page) => !busy.has(page));
    next();
  };
}
