// The ends of tasks, and the outbox of their follow-ups.

import { sql } from 'kysely';
import { sourcesOf, type TaskStatus } from '#shared/task-status.ts';
import type { Db } from '../../../db/open.ts';
import { updateRows } from '../../../db/rows.ts';
import type { LeasedTask } from '../rows/tasks.store.ts';

interface Move {
  to: Extract<TaskStatus, 'success' | 'error' | 'stopped'>;
  from?: TaskStatus[] | undefined;
}

interface End {
  time: string;
  exitCode: number | null;
  /** JSON of the reason; null: there is none. */
  failure: string | null;
}

/** Only the next attempt still needs the sealed answers. */
const secretAfter = sql<string | null>`case when attempt < attempts then secret end`;

/** Returns the number of lines of its log; null if status or lease do not allow the end. */
export async function endRow(
  db: Db,
  { id, lease }: LeasedTask,
  { to, from = sourcesOf(to) }: Move,
  { time, exitCode, failure }: End,
): Promise<number | null> {
  let update = db
    .updateTable('tasks')
    .set({
      status: to,
      end: time,
      secret: to === 'error' ? secretAfter : null,
      exit_code: exitCode,
      failure,
    })
    .where('id', '=', id)
    .where('status', 'in', from);
  if (lease !== undefined) update = update.where('lease', '=', lease);
  const row = await update.returning('log_lines').executeTakeFirst();
  return row?.log_lines ?? null;
}

/** Adds the follow-ups of a task to the outbox. */
export async function insertFollowUp(db: Db, taskId: number, due: string): Promise<void> {
  await db.insertInto('task_follow_ups').values({ task_id: taskId, due }).execute();
}

const namesIn = (done: string): string[] => done.split(',').filter(Boolean);

/**
 * Deletes the row of the follow-ups of a task; returns the names of those that are done. Null: nothing is
 * left, or another server has the row. A rollback restores it.
 */
export async function takeFollowUp(db: Db, taskId: number): Promise<string[] | null> {
  const row = await db
    .deleteFrom('task_follow_ups')
    .where('task_id', '=', taskId)
    .returning('done')
    .executeTakeFirst();
  return row ? namesIn(row.done) : null;
}

/** Locks the row until the transaction ends; returns the names of those that are done. Null: no row. */
export async function lockFollowUp(db: Db, taskId: number): Promise<string[] | null> {
  const row = await db
    .updateTable('task_follow_ups')
    .set(({ ref }) => ({ done: ref('done') }))
    .where('task_id', '=', taskId)
    .returning('done')
    .executeTakeFirst();
  return row ? namesIn(row.done) : null;
}

export async function updateDone(db: Db, taskId: number, done: string[]): Promise<void> {
  await updateRows(db, 'task_follow_ups', { task_id: taskId }, { done: done.join() });
}

/** Counts a failed attempt; returns the number of attempts. Null: no row. */
export async function countFailure(db: Db, taskId: number, error: string): Promise<number | null> {
  const row = await db
    .updateTable('task_follow_ups')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), error }))
    .where('task_id', '=', taskId)
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts ?? null;
}

export async function updateDue(db: Db, taskId: number, due: string): Promise<void> {
  await db.updateTable('task_follow_ups').set({ due }).where('task_id', '=', taskId).execute();
}

/** The tasks with due follow-ups, the oldest due times first. */
export async function listDueFollowUps(
  db: Db,
  now: string,
  limit: number,
): Promise<{ id: number; project_id: number }[]> {
  return db
    .selectFrom('task_follow_ups')
    .innerJoin('tasks', 'tasks.id', 'task_follow_ups.task_id')
    .select(['tasks.id', 'tasks.project_id'])
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('tasks.id')
    .limit(limit)
    .execute();
}

/** When the next follow-ups are due; null: there are none. */
export async function findNextFollowUp(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('task_follow_ups')
    .select(({ fn }) => fn.min('due').as('due'))
    .executeTakeFirst();
  return row?.due ?? null;
}

/** Whether a follow-up has failed at least this often. */
export async function hasStuckFollowUp(db: Db, attempts: number): Promise<boolean> {
  const row = await db
    .selectFrom('task_follow_ups')
    .select('task_id')
    .where('attempts', '>=', attempts)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteFollowUps(db: Db): Promise<void> {
  await db.deleteFrom('task_follow_ups').execute();
}
