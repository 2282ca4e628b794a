// Reads and writes the state of runs in the rows of their tasks.

import { sql } from 'kysely';
import { runningStatuses } from '#shared/task-status.ts';
import { applyStep } from '#shared/terraform/apply-step.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain } from '../../../db/plain-row.ts';
import type { Row } from '../../../db/tables.ts';
import { changeIn, lockHeld, moveStatus, noteOf, type LeasedTask } from '../rows/tasks.store.ts';

/**
 * Records that a step begins; the first step also moves the task to `running`. The spool of a step is
 * read from its first byte. False: the task is stopping.
 */
export async function updateStep(
  db: Db,
  task: Required<LeasedTask>,
  { step, commands }: { step: number; commands: string[] },
): Promise<boolean> {
  const values = { step, commands, spool_offset: 0 };
  const change = fromPlain({ commands: 'json' }, values);
  if (await moveStatus(db, task, { to: 'running', from: ['starting'] }, change)) return true;
  if (await changeIn(db, task, ['running'], change)) return true;
  await lockHeld(db, task);
  return false;
}

/** Appends a mark to those of a run. */
export async function addMark(db: Db, task: Required<LeasedTask>, mark: string): Promise<void> {
  await noteOf(db, task, { marks: sql<string>`coalesce(marks, '') || ${mark}` });
}

/** The statuses of a parked task, which waits between two steps. */
export const parkedStatuses: Row<'tasks'>['status'][] = ['waiting_confirmation', 'confirmed'];

/** Lease and status of the tasks that a runner holds, and of those that are parked on it. */
export async function listLeasesOf(
  db: Db,
  /** Null: the runner beside the server with the embedded database. */
  runnerId: number | null,
): Promise<Pick<Row<'tasks'>, 'id' | 'lease' | 'status'>[]> {
  return db
    .selectFrom('tasks')
    .select(['id', 'lease', 'status'])
    .where('status', 'in', [...runningStatuses, ...parkedStatuses])
    .where('runner_id', runnerId === null ? 'is' : '=', runnerId)
    .execute();
}

/** The tasks that wait for a confirmation and started, or were created, before this time. */
export async function listUnconfirmedRows(
  db: Db,
  before: string,
): Promise<Pick<Row<'tasks'>, 'id' | 'project_id' | 'lease' | 'log_lines' | 'spool_offset'>[]> {
  return db
    .selectFrom('tasks')
    .select(['id', 'project_id', 'lease', 'log_lines', 'spool_offset'])
    .where('status', '=', 'waiting_confirmation')
    .where(({ ref }) => sql<boolean>`coalesce(${ref('start')}, ${ref('created')}) < ${before}`)
    .orderBy('id')
    .execute();
}

/** The current leases by task id. */
export async function listLeases(db: Db, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'lease'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, lease }) => [id, lease]));
}

/**
 * Revokes the lease of a lost runner, and requeues the task if it has not begun. Returns the new lease,
 * with which a task that has begun can be ended; null: the runner no longer holds the task.
 */
export async function takeBack(
  db: Db,
  { id, lease }: Required<LeasedTask>,
): Promise<{ isWaiting: boolean; lease: number } | null> {
  const row = await db
    .updateTable('tasks')
    .set(({ eb }) => ({ lease: eb('lease', '+', 1) }))
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', 'in', runningStatuses)
    .returning(['status', 'step', 'confirmed_at', 'lease'])
    .executeTakeFirst();
  if (!row) return null;
  const isWaiting = row.step === 0 && row.status !== 'stopping';
  if (isWaiting) {
    const status = row.confirmed_at === null ? 'waiting' : 'confirmed';
    const change = { status, runner_id: null, runner_name: '', start: null } as const;
    await db.updateTable('tasks').set(change).where('id', '=', id).execute();
  }
  return { isWaiting, lease: row.lease };
}

/** A task that is ended without its runner. */
export type LeftTask = Pick<Row<'tasks'>, 'id' | 'project_id' | 'lease'>;

const selectLeft = (db: Db) => db.selectFrom('tasks').select(['id', 'project_id', 'lease']);

/** The tasks that run, and those that are parked between two of their steps. */
export const listBegun = (db: Db): Promise<LeftTask[]> =>
  selectLeft(db)
    .where((eb) =>
      eb.or([
        eb('status', 'in', runningStatuses),
        eb.and([eb('status', 'in', parkedStatuses), eb('step', '>', 0)]),
      ]),
    )
    .orderBy('id')
    .execute();

export const listUnbegun = (db: Db): Promise<LeftTask[]> =>
  selectLeft(db)
    .where('status', 'in', ['waiting', 'waiting_confirmation', 'confirmed'])
    .orderBy('id', 'desc')
    .execute();

/** The waiting tasks that a user has launched. */
export const listWaitingOf = (db: Db, userId: number): Promise<LeftTask[]> =>
  selectLeft(db)
    .where('status', '=', 'waiting')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();

/** The name of the server that ran the last apply of a template before this task; null: there was none. */
export async function findLastApply(
  db: Db,
  { id, template_id: templateId }: { id: number; template_id: number },
): Promise<string | null> {
  const row = await db
    .selectFrom('tasks')
    .select('runner_name')
    .where('template_id', '=', templateId)
    .where('id', '<', id)
    .where('step', '=', applyStep)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.runner_name ?? null;
}

/** Deletes the sealed answers of a task. */
export async function wipeSecret(db: Db, id: number): Promise<void> {
  await db.updateTable('tasks').set({ secret: null }).where('id', '=', id).execute();
}
