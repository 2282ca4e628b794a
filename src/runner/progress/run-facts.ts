// The facts of the hosts of a run, masked and cut.

import { MAX_FACT_LENGTH, MAX_FACTS, type ToldFacts } from '#shared/host-facts.ts';
import { MAX_HOSTS } from './severity.ts';
import type { FactsEvent } from './events.ts';
import { beginOf, type RunMasks } from './shown-result.ts';

export interface RunFacts {
  /** Adds facts of a host, which replace earlier ones of the same name. */
  add: (host: string, event: FactsEvent) => void;
  /** The facts of hosts that have changed since the last call. */
  takeChanged: () => ToldFacts[];
}

/** `names`: the facts that the project keeps. */
export function createRunFacts(masks: RunMasks, names: string[]): RunFacts {
  const known = new Map<string, ToldFacts['facts']>();
  const changed = new Set<string>();
  return {
    add(host, { facts }) {
      if (!known.has(host) && known.size >= MAX_HOSTS) return;
      const shown = names.slice(0, MAX_FACTS).flatMap((name) => {
        const value = Object.hasOwn(facts, name) ? facts[name] : undefined;
        return value === undefined ? [] : [[name, shownFact(masks, value)] as const];
      });
      if (shown.length === 0) return;
      known.set(host, { ...known.get(host), ...Object.fromEntries(shown) });
      changed.add(host);
    },
    takeChanged() {
      const all = [...changed].map((host) => ({ host, facts: known.get(host) ?? {} }));
      changed.clear();
      return all;
    },
  };
}

function shownFact(masks: RunMasks, value: FactsEvent['facts'][string]): string {
  const text = beginOf(masks, value);
  const isWhole = typeof value === 'string' && text.length <= MAX_FACT_LENGTH;
  return isWhole ? text : `${text.slice(0, MAX_FACT_LENGTH - 1).toWellFormed()}…`;
}
