// The search parameters for a view of a run: `view=hosts`, `view=tasks`, `view=timeline` or `view=plan`,
// with `host=` or `section=` for the results of one host or one task, both for the result of a task on
// a host, `lanes=hosts` for a timeline by host, and `zoom=` for a part of it. Without them the log is shown.

import { useSearch } from '@tanstack/react-router';
import { withoutRun } from '../run-search.ts';

export type RunView = 'log' | 'hosts' | 'tasks' | 'timeline' | 'plan';

interface RunAddress {
  view: RunView;
  host: string | null;
  /** The number of a section of the task whose results are shown, or whose result on the host is open. */
  section: number | null;
  lanes: 'tasks' | 'hosts';
}

export function useRunAddress(): RunAddress {
  const { view = 'log', host, section, lanes = 'tasks' } = useSearch({ strict: false });
  return {
    view,
    host: view === 'hosts' ? (host ?? null) : null,
    section: view === 'tasks' || view === 'hosts' ? (section ?? null) : null,
    lanes,
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

/** The result of a task on a host, among the results of the host. */
export const toResult = (host: string, section: number) => (before: object) => ({
  ...toHost(host)(before),
  section,
});

export const toSection = (section: number) => (before: object) => ({
  ...withoutRun(before),
  view: 'tasks' as const,
  section,
});

export const toLine = (line: number) => (before: object) => ({ ...withoutRun(before), line });

export const toLanes = (lanes: 'tasks' | 'hosts') => (before: object) => ({
  ...toView('timeline')(before),
  lanes: lanes === 'tasks' ? undefined : lanes,
});
