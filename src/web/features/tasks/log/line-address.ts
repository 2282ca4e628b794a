// The address of a line of a log, or of some lines: `line=345` or `line=345-350` in the search.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

export interface Lines {
  from: number;
  to: number;
}

/** The lines that an address names; null: it names none. */
export function parseLines(text: string | number | undefined): Lines | null {
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(String(text ?? '')) ?? [];
  const from = Number(first ?? 0);
  const to = Number(last ?? from);
  if (from < 1 || to < 1) return null;
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

/** What an address says for them: a number, or a text for more than one. */
const lineParam = ({ from, to }: Lines): number | string => (from === to ? from : `${from}-${to}`);

export interface LineAddress {
  /** The lines that the address of the page names. */
  marked: Lines | null;
  /** The address of a line, but for its number. */
  prefix: string;
  mark: (lines: Lines | null) => void;
}

export function useLineAddress(): LineAddress {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { line } = search;
  const marked = useMemo(() => parseLines(line), [line]);
  const rest = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (name !== 'line' && value !== undefined) rest.set(name, String(value));
  }
  rest.set('line', '');
  return {
    marked,
    prefix: `?${rest}`,
    mark: (lines) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, line: lines ? lineParam(lines) : undefined }),
        replace: true,
        resetScroll: false,
      }),
  };
}
