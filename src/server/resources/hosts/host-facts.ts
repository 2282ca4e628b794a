import { createHash } from 'node:crypto';
import type { FactChange, HostFacts } from '#shared/api/hosts.ts';
import type { Context } from '../../context/context.ts';
import {
  holdSet,
  listFactNames,
  listToldSets,
  readSets,
  type FactValues,
  type ToldSet,
} from './host-facts.store.ts';
import { requireHost, type HostRef } from './hosts.ts';

/** How far back changes are looked for, in runs that have told facts. */
const MAX_RUNS = 500;
/** The most runs with changes that are shown. */
const MAX_CHANGES = 100;

/** Tells one set of facts from another. */
export const factsHash = (facts: FactValues): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex');

/**
 * Returns the id of these facts, which are not deleted while the hosts of the project are locked. `hash`
 * is theirs.
 */
export const holdFacts = (
  ctx: Context,
  projectId: number,
  hash: string,
  facts: FactValues,
): Promise<number> => holdSet(ctx.db, { project_id: projectId, hash, facts });

/** The facts of a host that its project keeps now, and what has changed in them. */
export async function getFacts(ctx: Context, which: HostRef): Promise<HostFacts> {
  await requireHost(ctx, which);
  const names = await listFactNames(ctx.db, which.projectId);
  const told = await listToldSets(ctx.db, which.projectId, which.name, MAX_RUNS);
  const runs = told.toReversed().filter(isOther);
  const sets = await readSets(ctx.db, [...new Set(runs.map(({ set }) => set))]);
  const newest = told.at(0);
  const { facts, changes } = compare(runs, sets, names);
  return {
    names,
    told: newest ? { task_id: newest.task_id, time: newest.time } : null,
    facts,
    changes: changes.toReversed().slice(0, MAX_CHANGES),
  };
}

/** Whether a run has told other facts than the one before it. */
const isOther = ({ set }: ToldSet, index: number, all: ToldSet[]): boolean =>
  set !== all[index - 1]?.set;

/**
 * Goes from the oldest run to the newest one. A fact that a run has not told keeps its value, since
 * a playbook may gather a part of them.
 */
function compare(runs: ToldSet[], sets: Map<number, FactValues>, names: string[]) {
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
