// The squares of a map of hosts, in groups. Pure functions.

import type { HostMap } from '#shared/api/hosts.ts';
import { type ResultState, resultStates } from '#shared/api/run-results.ts';

export type MapHost = HostMap['hosts'][number];
export type MapResult = ResultState | 'none';

/** The most severe first. */
export const mapResults: MapResult[] = [...resultStates.toReversed(), 'none'];

export interface MapGroup {
  key: string;
  name: string;
  /** `none`: hosts in no inventory. */
  kind: HostMap['groups'][number]['kind'] | 'none';
  hosts: MapHost[];
  /** The number of hosts that failed or were unreachable. */
  bad: number;
}

export const resultOf = ({ outcome }: MapHost): MapResult => outcome ?? 'none';

const isBad = (host: MapHost): boolean =>
  host.outcome === 'failed' || host.outcome === 'unreachable';

/** Each host is in its smallest group, so that it is drawn once. Groups with failures come first. */
export function groupsOf({ hosts, groups }: HostMap): MapGroup[] {
  const sizes = new Map<number, number>();
  for (const index of hosts.flatMap((host) => host.groups)) {
    sizes.set(index, (sizes.get(index) ?? 0) + 1);
  }
  const smallest = (host: MapHost): number =>
    host.groups.reduce(
      (one, other) => ((sizes.get(other) ?? 0) < (sizes.get(one) ?? Infinity) ? other : one),
      -1,
    );
  return [...Map.groupBy(hosts, smallest)]
    .map(([index, members]) => {
      const { name, kind } = groups[index] ?? { name: '', kind: 'none' as const };
      const bad = members.filter(isBad).length;
      return { key: `${kind} ${name}`, name, kind, hosts: members.toSorted(bySeverity), bad };
    })
    .toSorted((one, other) => other.bad - one.bad || one.name.localeCompare(other.name));
}

const ranks = new Map<MapResult, number>(mapResults.map((result, rank) => [result, rank]));
// Both kinds of failures are one rank, of which the newest come first, as in the answer.
const rankOf = (host: MapHost): number => (isBad(host) ? 0 : (ranks.get(resultOf(host)) ?? 0));
const bySeverity = (one: MapHost, other: MapHost): number => rankOf(one) - rankOf(other);

export function countResults(hosts: MapHost[]): Map<MapResult, number> {
  const counts = new Map<MapResult, number>();
  for (const host of hosts) counts.set(resultOf(host), (counts.get(resultOf(host)) ?? 0) + 1);
  return counts;
}
