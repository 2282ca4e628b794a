// The rows of due times of schedules.

import type { Fire } from '#shared/api/schedules.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Db } from '../../db/open.ts';
import { updateRows } from '../../db/rows.ts';
import { fromPlain, toPlain, type Plain } from '../../db/plain-row.ts';
import type { NewRow, Row } from '../../db/tables.ts';

type FireJson = { params: Params };

const columns = { params: 'json' } as const;

const toFire = (row: Row<'schedule_fires'>): Fire =>
  toPlain<Row<'schedule_fires'>, FireJson>(columns, row);

/** The rows of a schedule, the newest first. */
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

/** The newest row of each schedule of the project, or of one schedule. */
export async function listLastFires(
  db: Db,
  projectId: number,
  scheduleId?: number,
): Promise<Fire[]> {
  const rows = await db
    .selectFrom('schedule_fires')
    .selectAll()
    .where('id', 'in', (eb) => {
      // One lookup in the index for each schedule, however many rows there are.
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

/** Inserts rows; returns the new ones. A due time that was handled already has a row. */
export function insertFires(db: Db, fires: NewFire[]): Promise<{ id: number; count: number }[]> {
  const none = { reason: null, task_id: null, commit_hash: null, code: null, error: null };
  return db
    .insertInto('schedule_fires')
    .values(fires.map((fire) => ({ ...none, ...fire })))
    .onConflict((conflict) => conflict.columns(['schedule_id', 'due']).doNothing())
    .returning(['id', 'count'])
    .execute();
}

type PlainFire = Plain<NewRow<'schedule_fires'>, FireJson>;

export type Outcome = Partial<
  Pick<
    PlainFire,
    'reason' | 'task_id' | 'workflow_run_id' | 'code' | 'params' | 'error' | 'commit_hash'
  >
> &
  Pick<PlainFire, 'result'>;

export async function updateFire(db: Db, id: number, outcome: Outcome): Promise<void> {
  const values = fromPlain(columns, outcome);
  await db.updateTable('schedule_fires').set(values).where('id', '=', id).execute();
}

/** Claims an unfinished check; false: another server has ended it, or the schedule was deleted. */
export function takeCheck(db: Db, id: number): Promise<boolean> {
  return updateRows(db, 'schedule_fires', { id, result: 'checking' }, { result: 'started' });
}

/** The unfinished checks that began before a time. */
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

/** Deletes all but the newest rows of each schedule. */
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
