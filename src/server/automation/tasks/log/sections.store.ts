import { resultCountNames } from '#shared/api/run-results.ts';
import type { TaskSection } from '#shared/api/runner-api.ts';
import type { ShownSection } from '#shared/api/task-log.ts';
import type { Db } from '../../../db/open.ts';
import { lockHeld, type LeasedTask } from '../rows/tasks.store.ts';

const rowsAtOnce = 200;
const sources = ['first', 'module', 'role', 'path', 'file_line', 'begin', 'end'] as const;

/** Inserts or replaces plays and tasks of a run. */
export async function upsertSections(
  db: Db,
  task: Required<LeasedTask>,
  sections: TaskSection[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Done first: it locks the task until the end of the transaction, and refuses an older lease.
    await lockHeld(trx, task);
    // PostgreSQL refuses a statement that changes a row twice.
    const rows = [...new Map(sections.map((one) => [one.number, toRow(task.id, one)])).values()];
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await trx
        .insertInto('task_sections')
        .values(rows.slice(at, at + rowsAtOnce))
        .onConflict((conflict) =>
          conflict.columns(['task_id', 'number']).doUpdateSet(({ ref }) => ({
            line: ref('excluded.line'),
            kind: ref('excluded.kind'),
            name: ref('excluded.name'),
            ...Object.fromEntries(
              [...sources, ...resultCountNames].map((name) => [name, ref(`excluded.${name}`)]),
            ),
          })),
        )
        .execute();
    }
  });
}

// PostgreSQL cannot store NUL in a text.
const plain = (text: string): string => text.replaceAll('\0', '\uFFFD');

const toRow = (taskId: number, section: TaskSection) => ({
  ...section,
  name: plain(section.name),
  module: plain(section.module),
  role: plain(section.role),
  path: section.path === null ? null : plain(section.path),
  task_id: taskId,
});

export async function listSections(db: Db, taskId: number): Promise<ShownSection[]> {
  return db
    .selectFrom('task_sections')
    .select(['kind', 'line', 'name', 'first as section', ...resultCountNames])
    .where('task_id', '=', taskId)
    .orderBy('number')
    .execute();
}

/** The plays and tasks of a run with their places in the repository. */
export async function listRunSections(db: Db, taskId: number): Promise<TaskSection[]> {
  return db
    .selectFrom('task_sections')
    .select(['number', 'kind', 'line', 'name', ...sources, ...resultCountNames])
    .where('task_id', '=', taskId)
    .orderBy('number')
    .execute();
}
