// Tasks to compare a task with.

import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import type { Row } from '../../../db/tables.ts';

/**
 * The last task before this one that succeeded, of the same template with the same inventory. A dry
 * run has changed nothing, so it does not count.
 */
export async function findLastSuccess(
  db: Db,
  {
    id,
    template_id: templateId,
    inventory_id: inventoryId,
  }: Pick<Row<'tasks'>, 'id' | 'template_id' | 'inventory_id'>,
): Promise<Row<'tasks'> | null> {
  const row = await db
    .selectFrom('tasks')
    .selectAll()
    .where('template_id', '=', templateId)
    .where('inventory_id', inventoryId === null ? 'is' : '=', inventoryId)
    // Literals: with parameters SQLite would not use the partial index of successful runs.
    .where(sql<boolean>`status = 'success' and dry_run = 0`)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The names of the schedules, integrations or users that launched these tasks, as far as they still exist. */
export async function listLaunchers(db: Db, ids: number[]): Promise<Map<number, string | null>> {
  const rows = await db
    .selectFrom('tasks')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .select([
      'tasks.id',
      'schedules.name as schedule',
      'integrations.name as integration',
      'users.name as user',
    ])
    .where('tasks.id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.schedule ?? row.integration ?? row.user]));
}
