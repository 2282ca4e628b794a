import { createHash } from 'node:crypto';
import type { FactChange, HostFacts } from '#shared/api/hosts.ts';
import type { Context } from '../../context/context.ts';
import {
  holdSet,
  listFactNames,
  listReportedSets,
  readSets,
  type FactValues,
  type ReportedSet,
} from './host-facts.store.ts';
import { requireHost, type HostRef } from './hosts.ts';

/** The most runs that are searched for changes. */
const MAX_RUNS = 500;
/** The most runs with changes in a reply. */
const MAX_CHANGES = 100;

export const factsHash = (facts: FactValues): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex');

/** The set is kept while the hosts of the project are locked. `hash` is that of `facts`. */
export const holdFacts = (
  ctx: Context,
  projectId: number,
  hash: string,
  facts: FactValues,
): Promise<number> => holdSet(ctx.db, { project_id: projectId, hash, facts });

/** The current facts of a host, and their history. */
export async function getFacts(ctx: Context, which: HostRef): Promise<HostFacts> {
  await requireHost(ctx, which);
  const names = await listFactNames(ctx.db, which.projectId);
  const reports = await listReportedSets(ctx.db, which.projectId, which.name, MAX_RUNS);
  const runs = reports.toReversed().filter(isOther);
  const sets = await readSets(ctx.db, [...new Set(runs.map(({ set }) => set))]);
  const newest = reports.at(0);
  const { facts, changes } = compare(runs, sets, names);
  return {
    names,
    told: newest ? { task_id: newest.task_id, time: newest.time } : null,
    facts,
    changes: changes.toReversed().slice(0, MAX_CHANGES),
  };
}

/** Whether the facts differ from those of the previous run. */
const isOther = ({ set }: ReportedSet, index: number, all: ReportedSet[]): boolean =>
  set !== all[index - 1]?.set;

/** A fact that is missing in a run keeps its value, since a playbook may gather a subset. */
function compare(runs: ReportedSet[], sets: Map<number, FactValues>, names: string[]) {
  const known = new Map<string, HostFacts['facts'][number]>();
  const changes: FactChange[] = [];
  for (const { set, task_id, time } of runs) {
    const values = sets.get(set) ?? {};
    const changed: FactChange['facts'] = [];
    for (const name of names) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      const before = known.get(name)?.value;
      if (value === undefined || value === before) continue;
      known.set(name, { name, value, since: { task_id, time } });
      if (before !== undefined) changed.push({ name, before, after: value });
    }
    if (changed.length > 0) changes.push({ task_id, time, facts: changed });
  }
  return { facts: names.flatMap((name) => known.get(name) ?? []), changes };
}
