// The times of the results of a run by host. Arrays of numbers, since a run has 100,000 results and more.

import { type ResultState, resultStates, type ResultTimes } from '#shared/api/run-results.ts';

export interface Bar {
  /** Times in milliseconds since the epoch. */
  begin: number;
  end: number;
  state: ResultState;
  /** The number of its section; null: no result. */
  section: number | null;
}

interface HostColumns {
  begin: number[];
  duration: number[];
  state: number[];
  section: number[];
}

export interface ResultColumns {
  /** The number of results; a later page begins after it. */
  count: number;
  hosts: ReadonlyMap<string, HostColumns>;
}

export const noColumns: ResultColumns = { count: 0, hosts: new Map() };

/** Adds a page to the columns in place; returns another object, so that React draws them again. */
export function withPage({ count, hosts }: ResultColumns, page: ResultTimes): ResultColumns {
  const next = new Map(hosts);
  const columns = page.hosts.map((name) => {
    const known = next.get(name) ?? { begin: [], duration: [], state: [], section: [] };
    next.set(name, known);
    return known;
  });
  const start = page.start === null ? 0 : Date.parse(page.start);
  for (const [index, host] of page.host.entries()) {
    const begin = page.begin[index];
    const state = page.state[index];
    const own = columns[host];
    if (!own || begin == null || state === undefined) continue;
    own.begin.push(start + begin);
    own.duration.push(page.duration_ms[index] ?? 0);
    own.state.push(resultStates.indexOf(state));
    own.section.push(page.section[index] ?? 0);
  }
  return { count: count + page.host.length, hosts: next };
}

/** The bars of a host, from the earliest on. */
export function barsOfHost({ hosts }: ResultColumns, host: string): Bar[] {
  const own = hosts.get(host);
  if (!own) return [];
  const bars = own.begin.map((begin, index): Bar => ({
    begin,
    end: begin + (own.duration[index] ?? 0),
    state: resultStates[own.state[index] ?? 0] ?? 'skipped',
    section: own.section[index] ?? null,
  }));
  return bars.sort((one, other) => one.begin - other.begin);
}
