// The options and tools of a task: current names of resources, everything else as at the launch.

import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { LaunchedWith, WholeTask } from '#shared/api/tasks.ts';
import type { Db } from '../../../db/open.ts';
import { toPlain } from '../../../db/plain-row.ts';

interface LaunchedJson {
  snapshot: TaskSnapshot;
  tools: TaskTools | null;
}

export async function findLaunchedWith(
  db: Db,
  taskId: number,
): Promise<Pick<WholeTask, 'launched_with' | 'tools'>> {
  const row = await db
    .selectFrom('tasks')
    .leftJoin('inventories', 'inventories.id', 'tasks.inventory_id')
    .select(['tasks.inventory_id', 'tasks.snapshot', 'tasks.tools'])
    .select('inventories.name as inventory_name')
    .where('tasks.id', '=', taskId)
    .executeTakeFirstOrThrow();
  const columns = { snapshot: 'json', tools: 'json' } as const;
  const { snapshot, tools } = toPlain<typeof row, LaunchedJson>(columns, row);
  const { inventory_id: id, inventory_name: name } = row;
  const launched_with = {
    inventory: snapshot.inventory && { id, name },
    environments: await environmentsOf(db, snapshot),
    execution_environment: executionOf(snapshot),
    branch: snapshot.branch,
    // The hosts to which a limit was narrowed are shown as `only_hosts`.
    limit: snapshot.narrowed?.limit ?? snapshot.limit,
    tags: snapshot.tags,
    skip_tags: snapshot.skipTags,
    arguments: snapshot.arguments,
  };
  return { launched_with, tools };
}

function executionOf({ executionEnvironment: used }: TaskSnapshot) {
  return used ? { id: used.id, name: used.name, kind: used.kind } : null;
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
