// The options and tools of a task: current names of resources, everything else as at the launch, except of what the
// reader does not see.

import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { LaunchedWith, WholeTask } from '#shared/api/tasks.ts';
import type { Db } from '../../../db/open.ts';
import { hasRow } from '../../../db/rows.ts';
import type { Scope } from '../../../db/rights/scope.ts';
import { toPlain } from '../../../db/plain-row.ts';

type SeenTable = 'repositories' | 'execution_environments';

interface LaunchedJson {
  snapshot: TaskSnapshot;
  tools: TaskTools | null;
}

/** `scope`: what the reader sees; null: everything. */
export async function findLaunchedWith(
  db: Db,
  taskId: number,
  scope: Scope | null,
): Promise<Pick<WholeTask, 'launched_with' | 'tools'>> {
  const row = await db
    .selectFrom('tasks')
    .leftJoin('inventories', 'inventories.id', 'tasks.inventory_id')
    .select(['tasks.inventory_id', 'tasks.git_branch', 'tasks.snapshot', 'tasks.tools'])
    .select('inventories.name as inventory_name')
    .where('tasks.id', '=', taskId)
    .executeTakeFirstOrThrow();
  const columns = { snapshot: 'json', tools: 'json' } as const;
  const { snapshot, tools } = toPlain<typeof row, LaunchedJson>(columns, row);
  const { inventory_id: id, inventory_name: name } = row;
  const isSeen = (table: SeenTable, seen: number) =>
    scope === null ? true : hasRow(db, table, { id: seen });
  const { executionEnvironment: used, repository } = snapshot;
  const isBranchSeen = await isSeen('repositories', repository.id);
  const launched_with = {
    inventory: snapshot.inventory && { id, name },
    environments: await environmentsOf(db, snapshot),
    execution_environment: used
      ? {
          id: used.id,
          name: (await isSeen('execution_environments', used.id)) ? used.name : `#${used.id}`,
          kind: used.kind,
        }
      : null,
    branch: isBranchSeen ? snapshot.branch : (row.git_branch ?? ''),
    // The hosts to which a limit was narrowed are shown as `only_hosts`.
    limit: snapshot.narrowed?.limit ?? snapshot.limit,
    tags: snapshot.tags,
    skip_tags: snapshot.skipTags,
    arguments: snapshot.arguments,
  };
  return { launched_with, tools };
}

/** The number of known hosts of the inventory of a task; null: none is known. */
export async function countInventoryHosts(db: Db, taskId: number): Promise<number | null> {
  const { count } = await db
    .selectFrom('tasks')
    .innerJoin('inventory_hosts', 'inventory_hosts.inventory_id', 'tasks.inventory_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tasks.id', '=', taskId)
    .executeTakeFirstOrThrow();
  return count || null;
}

async function environmentsOf(
  db: Db,
  { environment, environments = environment ? [environment] : [] }: TaskSnapshot,
): Promise<LaunchedWith['environments']> {
  const ids = environments.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('environments')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? null }));
}
