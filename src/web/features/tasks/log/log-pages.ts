// A cache of log lines, in pages. It evicts the pages farthest from the visible and the newest
// page.

import type { LogLine } from '#shared/api/task-log.ts';

export const pageLines = 250;

export const pageOf = (line: number): number => Math.floor((line - 1) / pageLines);

interface LogPages {
  /** Lines count from 1. */
  line: (number: number) => LogLine | undefined;
  put: (from: number, lines: LogLine[]) => void;
  look: (page: number) => void;
}

export function createLogPages(maxPages: number): LogPages {
  const pages = new Map<number, (LogLine | undefined)[]>();
  let looked = 0;

  const evict = (last: number) => {
    if (pages.size <= maxPages) return;
    const distance = (page: number) => Math.min(Math.abs(page - looked), Math.abs(page - last));
    const farthest = [...pages.keys()].sort((a, b) => distance(b) - distance(a));
    for (const page of farthest.slice(0, pages.size - maxPages)) pages.delete(page);
  };

  return {
    line: (number) => pages.get(pageOf(number))?.[(number - 1) % pageLines],
    put: (from, lines) => {
      for (const [index, line] of lines.entries()) {
        const number = from + index;
        const page = pages.get(pageOf(number)) ?? [];
        page[(number - 1) % pageLines] = line;
        pages.set(pageOf(number), page);
      }
      evict(pageOf(from));
    },
    look: (page) => {
      looked = page;
    },
  };
}
