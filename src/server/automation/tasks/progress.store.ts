import type { HostResult } from '#shared/api/tasks.ts';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { noteOf, type Held } from './tasks.store.ts';

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
  change: Partial<Pick<Row<'tasks'>, 'progress' | 'hosts'>>,
): Promise<void> {
  await noteOf(db, task, change);
}

/** The results of the hosts; empty: the program has reported none. */
export async function listHosts(db: Db, id: number): Promise<HostResult[]> {
  const row = await db.selectFrom('tasks').select('hosts').where('id', '=', id).executeTakeFirst();
  return row?.hosts ? (JSON.parse(row.hosts) as HostResult[]) : [];
}
