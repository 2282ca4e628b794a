// Reads and deletes old tasks and logs, few at a time, so that other statements do not wait long.

import { finishedStatuses } from '#shared/task-status.ts';
import { applyStep } from '#shared/terraform/apply-step.ts';
import type { Db } from '../../../db/open.ts';

export interface TemplateKey {
  projectId: number;
  templateId: number;
}

function finishedOf(db: Db, { projectId, templateId }: TemplateKey) {
  return db
    .selectFrom('tasks')
    .where('tasks.project_id', '=', projectId)
    .where('tasks.template_id', '=', templateId)
    .where('tasks.status', 'in', finishedStatuses);
}

/** The id of the oldest of the newest `count` finished tasks; null: there are fewer. */
export async function findOldestKept(
  db: Db,
  template: TemplateKey,
  count: number,
): Promise<number | null> {
  const row = await finishedOf(db, template)
    .select('tasks.id')
    .orderBy('tasks.id', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export interface Beyond {
  /** Deletes tasks that are older than the task with this id. */
  olderThan: number | null;
  /** Deletes tasks that ended before this time. */
  endedBefore: string | null;
  /** Keeps the newest successful task, which a deploy may need. */
  keepSuccess: boolean;
  limit: number;
}

/**
 * The oldest finished tasks of a template that are beyond its limits. Excluded are builds that a deploy
 * refers to, the newest task with a version, from which the next version is computed, and the newest that
 * has applied a plan of Terraform, the only record of the runner that has the state.
 */
function idsBeyond(db: Db, template: TemplateKey, beyond: Beyond) {
  const { olderThan, endedBefore, keepSuccess, limit } = beyond;
  const old = finishedOf(db, template)
    .select('tasks.id')
    .where((eb) =>
      eb.or([
        ...(olderThan === null ? [] : [eb('tasks.id', '<', olderThan)]),
        ...(endedBefore === null ? [] : [eb('tasks.end', '<', endedBefore)]),
      ]),
    )
    .where(({ not, exists, selectFrom }) => {
      const deploys = selectFrom('tasks as deploys').select('deploys.id');
      return not(exists(deploys.whereRef('deploys.build_task_id', '=', 'tasks.id')));
    })
    .where('tasks.id', 'not in', newest(db, template).where('version', 'is not', null))
    .where('tasks.id', 'not in', newest(db, template).where('step', '=', applyStep))
    .orderBy('tasks.id')
    .limit(limit);
  if (!keepSuccess) return old;
  return old.where(
    'tasks.id',
    'not in',
    newest(db, template).where('status', '=', 'success').where('dry_run', '=', 0),
  );
}

export async function hasBeyond(db: Db, template: TemplateKey, beyond: Beyond): Promise<boolean> {
  const one = idsBeyond(db, template, { ...beyond, limit: 1 });
  return (await one.executeTakeFirst()) !== undefined;
}

/** Deletes at most `limit` of them, with their logs; returns the number. */
export async function deleteBeyond(db: Db, template: TemplateKey, beyond: Beyond): Promise<number> {
  const old = idsBeyond(db, template, beyond);
  const { numDeletedRows } = await db.deleteFrom('tasks').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

function newest(db: Db, { projectId, templateId }: TemplateKey) {
  return db
    .selectFrom('tasks as newest')
    .select(({ fn, val }) => fn.coalesce(fn.max('id'), val(0)).as('id'))
    .where('project_id', '=', projectId)
    .where('template_id', '=', templateId);
}

/** The size of all logs in bytes. */
export async function sumLogBytes(db: Db): Promise<number> {
  const row = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.sum<number | string | null>('log_bytes').as('bytes'))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** Lists finished tasks with a log, the oldest first. */
export async function listLogs(
  db: Db,
  after: number,
  limit: number,
): Promise<{ id: number; bytes: number }[]> {
  return db
    .selectFrom('tasks')
    .select(['id', 'log_bytes as bytes'])
    .where('id', '>', after)
    .where('log_bytes', '>', 0)
    .where('status', 'in', finishedStatuses)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Removes the log of a task, and marks the task accordingly. */
export async function removeLog(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('task_log_chunks').where('task_id', '=', id).execute();
    await trx.deleteFrom('task_result_chunks').where('task_id', '=', id).execute();
    await trx.deleteFrom('task_sections').where('task_id', '=', id).execute();
    const change = { log_lines: 0, log_bytes: 0, results: 0, log_removed: 1 } as const;
    await trx.updateTable('tasks').set(change).where('id', '=', id).execute();
  });
}
