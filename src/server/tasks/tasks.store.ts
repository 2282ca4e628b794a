import { sql } from 'kysely';
import type { PlainTask, Task, TaskProgress } from '#shared/api/tasks.ts';
import {
  finishedStatuses,
  sourcesOf,
  unfinishedStatuses,
  type TaskStatus,
} from '#shared/task-status.ts';
import { brokenRule } from '../db/conflict.ts';
import type { Db } from '../db/open.ts';
import { fromFlag } from '../db/row.ts';
import { contains } from '../db/search.ts';
import type { NewRow, Row } from '../db/tables.ts';

function selectTasks(db: Db) {
  return db
    .selectFrom('tasks')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .select([
      'tasks.id',
      'tasks.project_id',
      'tasks.template_id',
      'tasks.status',
      'tasks.created',
      'tasks.start',
      'tasks.end',
      'tasks.user_id',
      'tasks.schedule_id',
      'users.name as user_name',
      'tasks.integration_id',
      'tasks.message',
      'tasks.version',
      'tasks.build_task_id',
      'tasks.commit_hash',
      'tasks.commit_message',
      'tasks.environment',
      'tasks.debug',
      'tasks.dry_run',
      'tasks.diff',
      'tasks.auto_approve',
      'tasks.playbook',
      'tasks.arguments',
      'tasks.git_branch',
      'tasks.limit',
      'tasks.tags',
      'tasks.skip_tags',
      'tasks.inventory_id',
      'tasks.retry_of',
      'tasks.attempt',
      'tasks.attempts',
      'tasks.not_before',
      'tasks.log_lines',
      'tasks.commands',
      'tasks.log_removed',
      'tasks.expected_s',
      'tasks.progress',
      'tasks.confirmed_by',
      'tasks.confirmed_at',
      'templates.name as tpl_alias',
      'templates.type as tpl_type',
      'templates.app as tpl_app',
      'templates.playbook as tpl_playbook',
    ]);
}

type TaskRow = Awaited<ReturnType<ReturnType<typeof selectTasks>['execute']>>[number];

const toPlain = ({
  debug,
  dry_run,
  diff,
  auto_approve,
  log_removed,
  commands,
  progress,
  ...row
}: TaskRow): PlainTask => ({
  ...row,
  secret: '',
  auto_approve: fromFlag(auto_approve),
  commands: JSON.parse(commands) as string[],
  progress: progress === null ? null : (JSON.parse(progress) as TaskProgress),
  debug: fromFlag(debug),
  dry_run: fromFlag(dry_run),
  diff: fromFlag(diff),
  log_removed: fromFlag(log_removed),
});

/** Adds to deploys what they deploy, with one more statement for all of them. */
async function toTasks(db: Db, rows: TaskRow[]): Promise<Task[]> {
  const ids = rows.flatMap(({ build_task_id: id }) => (id === null ? [] : [id]));
  const builds = new Map<number | null, PlainTask>();
  if (ids.length > 0) {
    const found = await selectTasks(db).where('tasks.id', 'in', ids).execute();
    for (const build of found) builds.set(build.id, toPlain(build));
  }
  return rows.map((row) => ({
    ...toPlain(row),
    build_task: builds.get(row.build_task_id) ?? null,
    waiting_for: null,
  }));
}

export interface TaskFilter {
  projectId: number;
  templateId?: number | undefined;
  userId?: number | undefined;
  status?: TaskStatus | undefined;
  /** A text that is part of what people see of the task. */
  q?: string | undefined;
  /** Only tasks older than this one. */
  before?: number | undefined;
  limit?: number | undefined;
}

const searched = [
  'tasks.message',
  'templates.name',
  'tasks.version',
  'users.name',
  'tasks.commit_hash',
  'tasks.commit_message',
];

/** Newest first. */
export async function listTasks(db: Db, filter: TaskFilter): Promise<Task[]> {
  const { projectId, templateId, userId, status, q, before, limit } = filter;
  let query = selectTasks(db).where('tasks.project_id', '=', projectId).orderBy('tasks.id', 'desc');
  if (templateId !== undefined) query = query.where('tasks.template_id', '=', templateId);
  if (userId !== undefined) query = query.where('tasks.user_id', '=', userId);
  if (status !== undefined) query = query.where('tasks.status', '=', status);
  if (q) query = query.where(contains(searched, q));
  if (before !== undefined) query = query.where('tasks.id', '<', before);
  if (limit !== undefined) query = query.limit(limit);
  return toTasks(db, await query.execute());
}

export async function findTask(db: Db, projectId: number, id: number): Promise<Task | null> {
  const row = await selectTasks(db)
    .where('tasks.project_id', '=', projectId)
    .where('tasks.id', '=', id)
    .executeTakeFirst();
  const [found = null] = await toTasks(db, row ? [row] : []);
  return found;
}

/** The whole row, with what no reply shows. */
export async function findRow(db: Db, id: number): Promise<Row<'tasks'> | null> {
  const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The newest task of each template of the project, or of one template. */
export async function listLastTasks(
  db: Db,
  projectId: number,
  templateId?: number,
): Promise<Task[]> {
  const rows = await selectTasks(db)
    .where('tasks.id', 'in', (eb) => {
      const newest = eb
        .selectFrom('tasks')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('project_id', '=', projectId)
        .groupBy('template_id');
      return templateId === undefined ? newest : newest.where('template_id', '=', templateId);
    })
    .execute();
  return toTasks(db, rows);
}

export async function insertTask(db: Db, values: Omit<NewRow<'tasks'>, 'id'>): Promise<number> {
  const row = await db.insertInto('tasks').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

type Change = Partial<
  Pick<NewRow<'tasks'>, 'start' | 'end' | 'secret' | 'confirmed_by' | 'confirmed_at'>
>;

/** Moves a task to another status, if it is in one that allows the move. False: it was not. */
export async function moveStatus(
  db: Db,
  id: number,
  { to, from = sourcesOf(to) }: { to: TaskStatus; from?: TaskStatus[] },
  change: Change = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set({ ...change, status: to })
    .where('id', '=', id)
    .where('status', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The version of the newest task of a template that took one. */
export async function findNewestVersion(db: Db, templateId: number): Promise<string | null> {
  const row = await db
    .selectFrom('tasks')
    .select('version')
    .where('template_id', '=', templateId)
    .where('version', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** False: another task of the template has this version. */
export async function updateVersion(db: Db, id: number, version: string): Promise<boolean> {
  try {
    await db.updateTable('tasks').set({ version }).where('id', '=', id).execute();
    return true;
  } catch (error) {
    if (brokenRule(error)?.rule === 'unique') return false;
    throw error;
  }
}

/** The unfinished tasks of a template, the newest first. */
export async function listUnfinished(
  db: Db,
  projectId: number,
  templateId: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('project_id', '=', projectId)
    .where('template_id', '=', templateId)
    .where('status', 'in', unfinishedStatuses)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id }) => id);
}

/** False: there is no finished task of this id. */
export async function deleteFinished(db: Db, projectId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('status', 'in', finishedStatuses)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether an earlier task of the template ran this commit. */
export async function hasRunCommit(
  db: Db,
  templateId: number,
  commitHash: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('template_id', '=', templateId)
    .where('commit_hash', '=', commitHash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateCommit(
  db: Db,
  id: number,
  commit: { commit_hash: string; commit_message: string },
): Promise<void> {
  await db.updateTable('tasks').set(commit).where('id', '=', id).execute();
}

/** Notes how much space the log of a task takes. */
export async function updateLogBytes(db: Db, id: number): Promise<void> {
  await db
    .updateTable('tasks')
    .set((eb) => ({
      log_bytes: eb
        .selectFrom('task_log_chunks')
        .select(sql<number>`coalesce(sum(length(data)), 0)`.as('bytes'))
        .where('task_id', '=', id),
    }))
    .where('id', '=', id)
    .execute();
}

/** How far the log of a task has come; null: no such task. */
export async function findProgress(
  db: Db,
  id: number,
): Promise<{ lines: number; isFinished: boolean } | null> {
  const row = await db
    .selectFrom('tasks')
    .select(['log_lines', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { lines: row.log_lines, isFinished: finishedStatuses.includes(row.status) } : null;
}
