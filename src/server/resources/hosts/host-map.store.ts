import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { type HostFilter, matchingHosts, ofTask } from './hosts.store.ts';

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
    .select(ofTask)
    .where('tasks.id', 'in', taskIds)
    .execute();
  return rows.map((row) => ({ ...row, dry_run: row.dry_run === 1 }));
}
