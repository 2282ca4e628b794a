// The gravest outcome of each host, in a play or a task.

import { resultStates, type ResultState } from '#shared/api/run-results.ts';

/** How many hosts of a run are remembered, so that each counts once. */
export const mostHosts = 5000;

const rank = (state: ResultState): number => resultStates.indexOf(state);

/** Notes the gravest outcome of a host; answers the one from before, or this one if it changes nothing. */
export function put(
  states: Map<string, ResultState>,
  host: string,
  state: ResultState,
): ResultState | undefined {
  const before = states.get(host);
  if (before !== undefined && rank(before) >= rank(state)) return state;
  if (before === undefined && states.size >= mostHosts) return undefined;
  states.set(host, state);
  return before;
}
