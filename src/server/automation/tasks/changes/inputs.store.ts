// What tasks ran with, as far as it is recorded when they run.

import { sql } from 'kysely';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain } from '../../../db/plain-row.ts';
import type { Row } from '../../../db/tables.ts';
import { noteOf, type LeasedTask, type UsedSecrets } from '../rows/tasks.store.ts';

export async function updateTools(
  db: Db,
  task: Required<LeasedTask>,
  tools: TaskTools,
): Promise<void> {
  await noteOf(db, task, fromPlain({ tools: 'json' }, { tools }));
}

export async function updateUsedSecrets(
  db: Db,
  task: Required<LeasedTask>,
  used: UsedSecrets,
): Promise<void> {
  await noteOf(db, task, fromPlain({ used_secrets: 'json' }, { used_secrets: used }));
}

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
    // Not a parameter, with which SQLite would not know that the index of successful runs is enough.
    .where(sql<boolean>`status = 'success' and dry_run = 0`)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Who launched each of these tasks, by name: a schedule, an integration or a user that still exists. */
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
