import type { PlanCounts, RunPlan, TaskPlan } from '#shared/api/task-plan.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain, toPlain } from '../../../db/plain-row.ts';
import type { NewRow } from '../../../db/tables.ts';
import { noteOf, type LeasedTask } from '../rows/tasks.store.ts';
import { packChanges, unpackChanges } from './plan-changes.ts';

const flags = { is_complete: 'flag', is_whole: 'flag' } as const;

/** Stores the plan of a run in place of an earlier one. */
export async function upsertPlan(
  db: Db,
  task: Required<LeasedTask>,
  { counts, changes, ...plan }: RunPlan,
): Promise<void> {
  const row = {
    ...fromPlain(flags, plan),
    data: await packChanges(changes),
  } as Omit<NewRow<'task_plans'>, 'task_id'>;
  await db.transaction().execute(async (trx) => {
    // Done first: it locks the task until the end of the transaction, and refuses an older lease.
    await noteOf(trx, task, fromPlain({ plan: 'json' }, { plan: counts }));
    await trx
      .insertInto('task_plans')
      .values({ task_id: task.id, ...row })
      .onConflict((conflict) => conflict.column('task_id').doUpdateSet(row))
      .execute();
  });
}

/** The plan of a task; without counts: it has none. */
export async function findPlan(db: Db, taskId: number): Promise<TaskPlan> {
  const row = await db
    .selectFrom('task_plans')
    .innerJoin('tasks', 'tasks.id', 'task_plans.task_id')
    .select(['tasks.plan as counts', 'is_complete', 'is_whole', 'data'])
    .where('task_plans.task_id', '=', taskId)
    .executeTakeFirst();
  if (!row) return { counts: null, changes: [], is_complete: true, is_whole: null };
  const { data, ...rest } = row;
  const plain = toPlain<typeof rest, { counts: PlanCounts | null }>(
    { counts: 'json', ...flags },
    rest,
  );
  return { ...plain, changes: await unpackChanges(data) };
}
