// The states of the hosts of a run, counted as Ansible does.

import type { RunHost } from '#shared/api/run-results.ts';
import type { HostResult } from '#shared/api/tasks.ts';
import { noResults } from '#shared/api/task-log.ts';
import type { ResultEvent, FactsEvent } from './events.ts';
import { MAX_HOSTS } from './severity.ts';
import { timeOf, beginOf, type RunMasks } from './shown-result.ts';
import { MAX_FACT_LENGTH, MAX_FACTS, type ToldFacts } from '#shared/host-facts.ts';

const MAX_DURATION_MS = 2 ** 31 - 1;

export type FirstFailure = NonNullable<RunHost['first_failure']>;

export type RunHosts = ReturnType<typeof createRunHosts>;

export function createRunHosts() {
  const hosts = new Map<string, RunHost>();
  const changed = new Set<RunHost>();
  const find = (host: string): RunHost | null => {
    const known = hosts.get(host);
    if (!known && hosts.size >= MAX_HOSTS) return null;
    const found = known ?? { ...untold, host };
    hosts.set(host, found);
    changed.add(found);
    return found;
  };
  return {
    /** Counts a result of a host; `failure`: its details if it is one. */
    add(name: string, event: ResultEvent, failure: FirstFailure | null): void {
      const host = find(name);
      if (!host) return;
      if (!event.is_include) count(host, event);
      const { begin, time, ms } = event;
      host.begin ??= timeOf(begin ?? time);
      host.end = timeOf(time) ?? host.end;
      host.duration_ms = Math.min(MAX_DURATION_MS, host.duration_ms + ms);
      host.first_failure ??= failure;
    },
    /** Replaces the counts by Ansible's own totals. */
    replace(totals: HostResult[]): void {
      // Masking may make two names equal.
      const summed = new Map<string, HostResult>();
      for (const one of totals) summed.set(one.host, sumOf(one, summed.get(one.host)));
      for (const total of summed.values()) Object.assign(find(total.host) ?? {}, total);
    },
    /** The hosts that have changed since the last call. */
    takeChanged(): RunHost[] {
      const all = [...changed];
      changed.clear();
      return all;
    },
  };
}

const untold = { ...noResults, begin: null, end: null, duration_ms: 0, first_failure: null };

/** Ansible counts ignored failures as ok too. */
function count(host: RunHost, { state, changed }: ResultEvent): void {
  if (state === 'changed' || state === 'ignored') host.ok += 1;
  if (state === 'ignored' && changed) host.changed += 1;
  host[state] += 1;
}

function sumOf(one: HostResult, other: HostResult | undefined): HostResult {
  if (!other) return one;
  const names = Object.keys(noResults) as (keyof typeof noResults)[];
  return {
    ...one,
    ...Object.fromEntries(names.map((name) => [name, one[name] + other[name]])),
  };
}

// The facts of the hosts of a run, masked and cut.

export type RunFacts = ReturnType<typeof createRunFacts>;

/** `names`: the facts that the project keeps. */
export function createRunFacts(masks: RunMasks, names: string[]) {
  const known = new Map<string, ToldFacts['facts']>();
  const changed = new Set<string>();
  return {
    /** Adds facts of a host, which replace earlier ones of the same name. */
    add(host: string, { facts }: FactsEvent): void {
      if (!known.has(host) && known.size >= MAX_HOSTS) return;
      const shown = names.slice(0, MAX_FACTS).flatMap((name) => {
        const value = Object.hasOwn(facts, name) ? facts[name] : undefined;
        return value === undefined ? [] : [[name, shownFact(masks, value)] as const];
      });
      if (shown.length === 0) return;
      known.set(host, { ...known.get(host), ...Object.fromEntries(shown) });
      changed.add(host);
    },
    /** The facts of hosts that have changed since the last call. */
    takeChanged(): ToldFacts[] {
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
