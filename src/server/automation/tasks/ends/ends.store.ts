// The ends of tasks, and what still has to follow from them.

import { sql } from 'kysely';
import { sourcesOf, type TaskStatus } from '#shared/task-status.ts';
import type { Db } from '../../../db/open.ts';
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

/** Only for the next attempt are the sealed answers still needed. */
const secretAfter = sql<string | null>`case when attempt < attempts then secret end`;

/** Ends a task, if its status and lease allow it; returns how many lines its log has. Null: they do not. */
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

/** Notes that something has to follow from the end of a task. */
export async function insertFollowUp(db: Db, taskId: number, due: string): Promise<void> {
  await db.insertInto('task_follow_ups').values({ task_id: taskId, due }).execute();
}

const namesIn = (done: string): string[] => done.split(',').filter(Boolean);

/**
 * Takes all that is left to follow from the end of a task; returns the names of what is done. Null:
 * nothing is left, or another server does it. A transaction that fails gives it back.
 */
export async function takeFollowUp(db: Db, taskId: number): Promise<string[] | null> {
  const row = await db
    .deleteFrom('task_follow_ups')
    .where('task_id', '=', taskId)
    .returning('done')
    .executeTakeFirst();
  return row ? namesIn(row.done) : null;
}

/** Locks the row for the rest of the transaction; returns the names of what is done. Null: nothing is left. */
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
  await db
    .updateTable('task_follow_ups')
    .set({ done: done.join() })
    .where('task_id', '=', taskId)
    .execute();
}

/** Counts a try that has failed; returns how many there were. Null: nothing is left. */
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

/** The tasks from whose ends something should have followed by now. */
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

/** When the next one is due; null: none is left. */
export async function findNextFollowUp(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('task_follow_ups')
    .select(({ fn }) => fn.min('due').as('due'))
    .executeTakeFirst();
  return row?.due ?? null;
}

/** Whether something has failed so often. */
export async function hasStuckFollowUp(db: Db, attempts: number): Promise<boolean> {
  const row = await db
    .selectFrom('task_follow_ups')
    .select('task_id')
    .where('attempts', '>=', attempts)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives up all that is left. */
export async function deleteFollowUps(db: Db): Promise<void> {
  await db.deleteFrom('task_follow_ups').execute();
}
