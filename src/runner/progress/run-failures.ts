// The failures of a run, grouped by cause: hosts that failed in the same task with the same message. The number of
// groups and of host names in each is limited.

import type { FailureGroup } from '#shared/api/run-results.ts';

const MAX_GROUPS = 50;
const MAX_NAMES = 100;
const names = new Intl.Collator('en', { numeric: true });

export type RunFailures = ReturnType<typeof createRunFailures>;

export function createRunFailures() {
  const groups = new Map<string, FailureGroup>();
  /** The hosts of each group, so that each is counted once. */
  const counted = new Map<string, Set<string>>();
  let isChanged = false;
  return {
    add(failure: Omit<FailureGroup, 'hosts' | 'host_count'>, host: string): void {
      const { state, task, path, file_line: line, message } = failure;
      const key = JSON.stringify([state, task, path, line, message]);
      if (!groups.has(key) && groups.size >= MAX_GROUPS) return;
      const group = groups.get(key) ?? { ...failure, hosts: [], host_count: 0 };
      const hosts = counted.get(key) ?? new Set();
      groups.set(key, group);
      counted.set(key, hosts);
      if (hosts.has(host)) return;
      hosts.add(host);
      if (group.hosts.length < MAX_NAMES) group.hosts.push(host);
      group.host_count += 1;
      isChanged = true;
    },
    /** All groups; null: unchanged since the last call. */
    takeChanged(): FailureGroup[] | null {
      if (!isChanged) return null;
      isChanged = false;
      return [...groups.values()].map((group) => ({
        ...group,
        hosts: group.hosts.toSorted(names.compare),
      }));
    },
  };
}
