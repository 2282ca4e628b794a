import type { TaskProgress } from '#shared/api/tasks.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain } from '../../../db/plain-row.ts';
import { noteOf, type Held } from '../rows/tasks.store.ts';

/** The durations of the newest successful tasks of a template, in milliseconds. */
export async function listDurations(db: Db, templateId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select(['start', 'end'])
    .where('template_id', '=', templateId)
    .where('status', '=', 'success')
    .where('start', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ start, end }) => Date.parse(end ?? '') - Date.parse(start ?? ''));
}

export async function updateProgress(
  db: Db,
  task: Required<Held>,
  progress: TaskProgress,
): Promise<void> {
  await noteOf(db, task, fromPlain({ progress: 'json' }, { progress }));
}
