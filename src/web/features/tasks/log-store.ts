// The log of one task as far as it is held in the browser. Lines are kept by number, so none is
// shown twice, whether it arrives live or is loaded because somebody looks at it.

import type { LogLine, LogPage } from '#shared/api/task-log.ts';
import { createLogPages, pageLines, pageOf } from './log-pages.ts';

const maxPages = 240;
const retryDelay = 2000;

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
  /** Loads what is missing of these lines, the first of which is looked at. */
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
  const loadPage = createLoader(load, (page) => {
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
      for (const number of lines) if (!pages.line(number)) loadPage(pageOf(number));
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
 * Loads a page once at a time; one that failed or came back empty not again at once. A page of
 * long lines comes in several answers.
 */
function createLoader(load: Load, loaded: (page: LogPage | null) => void) {
  const busy = new Set<number>();
  return (page: number): void => {
    if (busy.has(page)) return;
    busy.add(page);
    const end = (page + 1) * pageLines;
    const release = (answer: LogPage | null): void => {
      const delay = answer && answer.lines.length > 0 ? 0 : retryDelay;
      if (answer) loaded(answer);
      const next = answer ? answer.from + answer.lines.length : 0;
      if (answer && delay === 0 && next <= Math.min(end, answer.total)) {
        load(next, end - next + 1).then(release, () => release(null));
        return;
      }
      setTimeout(() => {
        busy.delete(page);
        if (delay > 0) loaded(null);
      }, delay);
    };
    load(page * pageLines + 1, pageLines).then(release, () => release(null));
  };
}
