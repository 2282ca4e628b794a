// The most severe outcome of each host, in a play or a task.

import { resultStates, type ResultState } from '#shared/api/run-results.ts';

/** How many hosts of a run are remembered, so that each counts once. */
export const MAX_HOSTS = 5000;

const severity = (state: ResultState): number => resultStates.indexOf(state);

/** Notes the most severe outcome of a host; returns the one from before, or this one if it changes nothing. */
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
