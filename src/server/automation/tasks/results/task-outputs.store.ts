import type { TaskOutput } from '#shared/api/task-outputs.ts';
import type { Db } from '../../../db/open.ts';
import { insertRow } from '../../../db/rows.ts';
import { fromPlain, toPlain } from '../../../db/plain-row.ts';
import type { NewRow } from '../../../db/tables.ts';

/** Stores the outputs of a task in place of earlier ones; returns the id of their row. */
export async function replaceOutputs(
  db: Db,
  { id: task_id, project_id }: { id: number; project_id: number },
  outputs: TaskOutput[],
): Promise<number> {
  await db.deleteFrom('task_outputs').where('task_id', '=', task_id).execute();
  const row = fromPlain({ outputs: 'json' }, { task_id, project_id, outputs, secrets: null });
  return insertRow(db, 'task_outputs', row as NewRow<'task_outputs'>);
}

export async function findOutputs(db: Db, taskId: number): Promise<TaskOutput[]> {
  const row = await db
    .selectFrom('task_outputs')
    .select('outputs')
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  if (!row) return [];
  return toPlain<typeof row, { outputs: TaskOutput[] }>({ outputs: 'json' }, row).outputs;
}

/** The sealed values of the secret outputs of a task, with the ids that bind them; null: it has none. */
export async function findSealedOutputs(
  db: Db,
  taskId: number,
): Promise<{ id: number; project_id: number; secrets: string } | null> {
  const row = await db
    .selectFrom('task_outputs')
    .select(['id', 'project_id', 'secrets'])
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  return row?.secrets == null ? null : { ...row, secrets: row.secrets };
}
