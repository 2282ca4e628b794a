// What became of the times at which schedules were due.

import type { Fire } from '#shared/api/schedules.ts';
import type { Params } from '#shared/errors.ts';
import type { Db } from '../db/open.ts';
import type { NewRow, Row } from '../db/tables.ts';

const toFire = (row: Row<'schedule_fires'>): Fire => ({
  ...row,
  params: JSON.parse(row.params) as Params,
});

/** Newest first. */
export async function listFires(
  db: Db,
  scheduleId: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Fire[]> {
  let query = db
    .selectFrom('schedule_fires')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query.execute()).map(toFire);
}

/** The newest one of each schedule of the project, or of one schedule. */
export async function listLastFires(
  db: Db,
  projectId: number,
  scheduleId?: number,
): Promise<Fire[]> {
  const rows = await db
    .selectFrom('schedule_fires')
    .selectAll()
    .where('id', 'in', (eb) => {
      // One look into the index for each, however many rows there are.
      const newest = eb
        .selectFrom('schedules')
        .select((inner) =>
          inner
            .selectFrom('schedule_fires as fires')
            .select(({ fn }) => fn.max('fires.id').as('id'))
            .whereRef('fires.schedule_id', '=', 'schedules.id')
            .as('id'),
        )
        .where('project_id', '=', projectId);
      return scheduleId === undefined ? newest : newest.where('id', '=', scheduleId);
    })
    .execute();
  return rows.map(toFire);
}

export type NewFire = Pick<
  NewRow<'schedule_fires'>,
  'schedule_id' | 'due' | 'noticed' | 'result' | 'count'
>;

/** Answers those that are new: of a time that has been seen to already there is a row. */
export function insertFires(db: Db, fires: NewFire[]): Promise<{ id: number; count: number }[]> {
  const none = { reason: null, task_id: null, commit_hash: null, code: null, error: null };
  return db
    .insertInto('schedule_fires')
    .values(fires.map((fire) => ({ ...none, ...fire })))
    .onConflict((conflict) => conflict.columns(['schedule_id', 'due']).doNothing())
    .returning(['id', 'count'])
    .execute();
}

export type Outcome = Partial<
  Pick<NewRow<'schedule_fires'>, 'reason' | 'task_id' | 'code' | 'params' | 'error' | 'commit_hash'>
> &
  Pick<NewRow<'schedule_fires'>, 'result'>;

export async function updateFire(db: Db, id: number, outcome: Outcome): Promise<void> {
  await db.updateTable('schedule_fires').set(outcome).where('id', '=', id).execute();
}

/** Takes the right to end a check; false: another has ended it, or the schedule is gone. */
export async function takeCheck(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('schedule_fires')
    .set({ result: 'started' })
    .where('id', '=', id)
    .where('result', '=', 'checking')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The checks that began before this time and have not ended. */
export function listChecking(
  db: Db,
  before: string,
): Promise<{ id: number; schedule_id: number }[]> {
  return db
    .selectFrom('schedule_fires')
    .select(['id', 'schedule_id'])
    .where('result', '=', 'checking')
    .where('noticed', '<=', before)
    .orderBy('id')
    .execute();
}

/** Removes all but the newest ones of each schedule. */
export async function deleteOldFires(db: Db, kept: number): Promise<void> {
  const crowded = await db
    .selectFrom('schedule_fires')
    .select('schedule_id as id')
    .groupBy('schedule_id')
    .having(({ fn }) => fn.countAll(), '>', kept)
    .execute();
  for (const { id } of crowded) {
    await db
      .deleteFrom('schedule_fires')
      .where('schedule_id', '=', id)
      .where('result', '!=', 'checking')
      .where('id', '<', (eb) =>
        eb
          .selectFrom('schedule_fires')
          .select('id')
          .where('schedule_id', '=', id)
          .orderBy('id', 'desc')
          .offset(kept - 1)
          .limit(1),
      )
      .execute();
  }
}
