import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { updateRows } from '../../../db/rows.ts';
import { searchable } from '../../../db/search.ts';
import type { LeasedTask } from '../rows/tasks.store.ts';

/** The durations of the newest successful tasks, or dry runs, of a template, in milliseconds. */
export async function listDurations(
  db: Db,
  { templateId, isDryRun, limit }: { templateId: number; isDryRun: boolean; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select(['start', 'end'])
    .where('template_id', '=', templateId)
    .where('status', '=', 'success')
    .where('dry_run', '=', isDryRun ? 1 : 0)
    .where('start', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ start, end }) => Date.parse(end ?? '') - Date.parse(start ?? ''));
}

/** Marks a task as a dry run, which has no version of its own. */
export async function markDryRun(db: Db, { id, lease }: Required<LeasedTask>): Promise<void> {
  const search = searchable([
    sql.ref('message'),
    null,
    sql.ref('commit_hash'),
    sql.ref('commit_message'),
  ]);
  await updateRows(db, 'tasks', { id, lease, dry_run: 0 }, { dry_run: 1, version: null, search });
}
