// The most severe result of each host, in a play or a task.

import { resultStates, type ResultState } from '#shared/api/run-results.ts';

/** How many hosts of a run are tracked. */
export const MAX_HOSTS = 5000;

const severity = (state: ResultState): number => resultStates.indexOf(state);

/** Keeps the most severe result of a host; returns the one before, or `state` if nothing changes. */
export function keepMostSevere(
  states: Map<string, ResultState>,
  host: string,
  state: ResultState,
): ResultState | undefined {
  const before = states.get(host);
  if (before !== undefined && severity(before) >= severity(state)) return state;
  if (before === undefined && states.size >= MAX_HOSTS) return undefined;
  states.set(host, state);
  return before;
}
