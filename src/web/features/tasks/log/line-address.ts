// The search parameter that names a line of a log, or some lines: `line=345` or `line=345-350`.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { noRunSearch, withoutRun } from '../run-search.ts';

export interface Lines {
  from: number;
  to: number;
}

/** The lines in a parameter; null for an invalid one. */
export function parseLines(text: string | number | undefined): Lines | null {
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(String(text ?? '')) ?? [];
  const from = Number(first ?? 0);
  const to = Number(last ?? from);
  if (from < 1 || to < 1) return null;
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

const lineParam = ({ from, to }: Lines): number | string => (from === to ? from : `${from}-${to}`);

export interface LineAddress {
  marked: Lines | null;
  /** The address of a line without its number. */
  prefix: string;
  /** The address of the results of a task of the playbook, without the number of its section. */
  resultsPrefix: string;
  showResults: (section: number) => void;
  mark: (lines: Lines | null) => void;
}

export function useLineAddress(): LineAddress {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { line } = search;
  const marked = useMemo(() => parseLines(line), [line]);
  const rest = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (!(name in noRunSearch) && value !== undefined) rest.set(name, String(value));
  }
  const results = new URLSearchParams([...rest, ['view', 'tasks'], ['section', '']]);
  rest.set('line', '');
  return {
    marked,
    prefix: `?${rest}`,
    resultsPrefix: `?${results}`,
    showResults: (section) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...withoutRun(before), view: 'tasks' as const, section }),
        resetScroll: false,
      }),
    mark: (lines) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, line: lines ? lineParam(lines) : undefined }),
        replace: true,
        resetScroll: false,
      }),
  };
}
