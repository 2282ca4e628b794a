import { sql } from 'kysely';
import type { TaskProgress } from '#shared/api/tasks.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain } from '../../../db/plain-row.ts';
import { searchable } from '../../../db/search.ts';
import { noteOf, type LeasedTask } from '../rows/tasks.store.ts';

interface Durations {
  templateId: number;
  isDryRun: boolean;
  limit: number;
}

/** The durations of the newest successful tasks, or dry runs, of a template, in milliseconds. */
export async function listDurations(
  db: Db,
  { templateId, isDryRun, limit }: Durations,
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

export async function updateProgress(
  db: Db,
  task: Required<LeasedTask>,
  progress: TaskProgress,
): Promise<void> {
  await noteOf(db, task, fromPlain({ progress: 'json' }, { progress }));
}

/** Notes that a task turned out to be a dry run. As one it has no version of its own. */
export async function markDryRun(db: Db, { id, lease }: Required<LeasedTask>): Promise<void> {
  const search = searchable([
    sql.ref('message'),
    null,
    sql.ref('commit_hash'),
    sql.ref('commit_message'),
  ]);
  await db
    .updateTable('tasks')
    .set({ dry_run: 1, version: null, search })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('dry_run', '=', 0)
    .execute();
}
