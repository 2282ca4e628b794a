// Thousands of hosts in one answer. Reads in batches, between which other requests are answered.

import type { HostMap } from '#shared/api/hosts.ts';
import type { Context } from '../../context/context.ts';
import { batchesOf } from '../../../node/async/batches.ts';
import { listMapRows, listRuns, type MapFilter } from './host-map.store.ts';
import { listInventories } from './hosts.store.ts';

const MAX_HOSTS = 5000;
const BATCH_SIZE = 500;

export async function getHostMap(
  { db }: Context,
  projectId: number,
  filter: MapFilter,
): Promise<HostMap> {
  const rows = await listMapRows(db, projectId, filter, MAX_HOSTS + 1);
  const shown = rows.slice(0, MAX_HOSTS);
  const taskIds = [...new Set(shown.flatMap(({ last_task_id: id }) => id ?? []))];
  const runs = await inBatches(taskIds, (ids) => listRuns(db, ids));
  const indexOf = new Map(runs.map(({ task_id }, index) => [task_id, index]));
  const names = filter.ofInventories ? shown.map(({ name }) => name) : [];
  const groups = new GroupList();
  for (const row of await inBatches(names, (batch) => listInventories(db, projectId, batch))) {
    groups.add(row);
  }
  const hosts = shown.map(({ name, last_outcome, last_task_id }) => ({
    name,
    outcome: last_task_id === null ? null : (last_outcome ?? 'skipped'),
    run: indexOf.get(last_task_id ?? 0) ?? null,
    groups: groups.of(name),
  }));
  return { hosts, runs, groups: groups.list, has_more: rows.length > shown.length };
}

async function inBatches<Item, Row>(
  all: Item[],
  read: (batch: Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batchesOf(all, BATCH_SIZE)) rows.push(...(await read(batch)));
  return rows;
}

type Group = HostMap['groups'][number];

/** Numbers the groups of hosts. An inventory counts for its hosts that are in no group of it. */
class GroupList {
  readonly list: Group[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #ofHosts = new Map<string, Set<number>>();

  add({ host, name: inventory, groups }: { host: string; name: string; groups: string[] }): void {
    const own: Group[] =
      groups.length > 0
        ? groups.map((name) => ({ name, kind: 'group' }))
        : [{ name: inventory, kind: 'inventory' }];
    const indexes = this.#ofHosts.get(host) ?? new Set();
    for (const group of own) indexes.add(this.#indexOf(group));
    this.#ofHosts.set(host, indexes);
  }

  of(host: string): number[] {
    return [...(this.#ofHosts.get(host) ?? [])];
  }

  #indexOf(group: Group): number {
    const key = `${group.kind} ${group.name}`;
    const index = this.#indexes.get(key) ?? this.list.push(group) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}
