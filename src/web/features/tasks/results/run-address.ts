// The search parameters for a view of a run: `view=hosts`, `view=tasks` or `view=plan`, with
// `host=` or `section=` for the results of one host or one task. Without them the log is shown.

import { useSearch } from '@tanstack/react-router';
import { withoutRun } from '../run-search.ts';

export type RunView = 'log' | 'hosts' | 'tasks' | 'plan';

interface RunAddress {
  view: RunView;
  host: string | null;
  /** The number of the first section of the task whose results are shown. */
  section: number | null;
}

export function useRunAddress(): RunAddress {
  const { view = 'log', host, section } = useSearch({ strict: false });
  return {
    view,
    host: view === 'hosts' ? (host ?? null) : null,
    section: view === 'tasks' ? (section ?? null) : null,
  };
}

/** The search parameters of a view, for the `search` of a link; other parameters stay. */
export const toView = (view: RunView) => (before: object) => ({
  ...withoutRun(before),
  view: view === 'log' ? undefined : view,
});

export const toHost = (host: string) => (before: object) => ({
  ...withoutRun(before),
  view: 'hosts' as const,
  host,
});

export const toSection = (section: number) => (before: object) => ({
  ...withoutRun(before),
  view: 'tasks' as const,
  section,
});

export const toLine = (line: number) => (before: object) => ({ ...withoutRun(before), line });
