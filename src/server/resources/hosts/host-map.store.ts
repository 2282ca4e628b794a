import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { toPlain } from '../../db/plain-row.ts';
import { groupColumns } from './host-rows.store.ts';
import { type HostFilter, matchingHosts } from './hosts.store.ts';

export type MapFilter = Pick<HostFilter, 'outcome' | 'q' | 'ofInventories'>;

/** The newest runs first. */
export function listMapRows(db: Db, projectId: number, filter: MapFilter, limit: number) {
  return matchingHosts(db, projectId, filter)
    .select(['hosts.name', 'hosts.last_outcome', 'hosts.last_task_id'])
    .orderBy(sql`coalesce(hosts.last_task_id, 0)`, 'desc')
    .orderBy('hosts.sort_key')
    .orderBy('hosts.id')
    .limit(limit)
    .execute();
}

export async function listRuns(db: Db, taskIds: number[]) {
  const rows = await db
    .selectFrom('tasks')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select([
      'tasks.id as task_id',
      'tasks.template_id',
      'templates.name as template_name',
      'tasks.status',
      'tasks.dry_run',
      'tasks.end',
    ])
    .where('tasks.id', 'in', taskIds)
    .execute();
  return rows.map((row) => ({ ...row, dry_run: row.dry_run === 1 }));
}

/** The inventories that contain the hosts, with the groups of these there. */
export async function listHostGroups(db: Db, projectId: number, names: string[]) {
  const rows = await db
    .selectFrom('inventory_hosts')
    .innerJoin('inventories', 'inventories.id', 'inventory_hosts.inventory_id')
    .select(['inventory_hosts.host', 'inventories.name as inventory', 'inventory_hosts.groups'])
    .where('inventory_hosts.project_id', '=', projectId)
    .where('inventory_hosts.host', 'in', names)
    .orderBy('inventories.name')
    .orderBy('inventories.id')
    .execute();
  return rows.map((row) => toPlain<typeof row, { groups: string[] }>(groupColumns, row));
}
