import { sql } from 'kysely';
import type { Task, TaskProgress } from '#shared/api/tasks.ts';
import type { Db } from '../../../db/open.ts';
import { updateRows } from '../../../db/rows.ts';
import { toPlain } from '../../../db/plain-row.ts';
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

/** The number of Ansible tasks of the last successful run of the template of a task; null: unknown. */
export async function findExpectedTasks(
  db: Db,
  { template_id, dry_run }: Pick<Task, 'template_id' | 'dry_run'>,
): Promise<number | null> {
  const row = await db
    .selectFrom('tasks')
    .select('progress')
    .where('template_id', '=', template_id)
    .where('status', '=', 'success')
    .where('dry_run', '=', dry_run ? 1 : 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { progress } = toPlain<typeof row, { progress: TaskProgress | null }>(
    { progress: 'json' },
    row,
  );
  return progress?.tasks ?? null;
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
