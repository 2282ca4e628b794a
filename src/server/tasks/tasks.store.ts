import type { Task } from '#shared/api/tasks.ts';
import {
  activeStatuses,
  finishedStatuses,
  sourcesOf,
  unfinishedStatuses,
  type TaskStatus,
} from '#shared/task-status.ts';
import type { Db } from '../db/open.ts';
import { fromFlag } from '../db/row.ts';
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
      'users.name as user_name',
      'tasks.message',
      'tasks.version',
      'tasks.build_task_id',
      'tasks.commit_hash',
      'tasks.commit_message',
      'tasks.environment',
      'tasks.debug',
      'tasks.dry_run',
      'tasks.diff',
      'tasks.playbook',
      'tasks.arguments',
      'tasks.git_branch',
      'tasks.limit',
      'tasks.tags',
      'tasks.skip_tags',
      'tasks.inventory_id',
      'tasks.log_lines',
      'templates.name as tpl_alias',
      'templates.type as tpl_type',
      'templates.app as tpl_app',
      'templates.playbook as tpl_playbook',
    ]);
}

type TaskRow = Awaited<ReturnType<ReturnType<typeof selectTasks>['execute']>>[number];

const toTask = ({ debug, dry_run, diff, ...row }: TaskRow): Task => ({
  ...row,
  debug: fromFlag(debug),
  dry_run: fromFlag(dry_run),
  diff: fromFlag(diff),
});

export interface TaskFilter {
  projectId: number;
  templateId?: number | undefined;
  userId?: number | undefined;
  status?: TaskStatus | undefined;
  /** Only tasks older than this one. */
  before?: number | undefined;
  limit?: number | undefined;
}

/** Newest first. */
export async function listTasks(db: Db, filter: TaskFilter): Promise<Task[]> {
  const { projectId, templateId, userId, status, before, limit } = filter;
  let query = selectTasks(db).where('tasks.project_id', '=', projectId).orderBy('tasks.id', 'desc');
  if (templateId !== undefined) query = query.where('tasks.template_id', '=', templateId);
  if (userId !== undefined) query = query.where('tasks.user_id', '=', userId);
  if (status !== undefined) query = query.where('tasks.status', '=', status);
  if (before !== undefined) query = query.where('tasks.id', '<', before);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(toTask);
}

export async function findTask(db: Db, projectId: number, id: number): Promise<Task | null> {
  const row = await selectTasks(db)
    .where('tasks.project_id', '=', projectId)
    .where('tasks.id', '=', id)
    .executeTakeFirst();
  return row ? toTask(row) : null;
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
  return rows.map(toTask);
}

export async function insertTask(db: Db, values: Omit<NewRow<'tasks'>, 'id'>): Promise<number> {
  const row = await db.insertInto('tasks').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

type Change = Partial<
  Pick<NewRow<'tasks'>, 'start' | 'end' | 'commit_hash' | 'commit_message' | 'secret'>
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

/** Hands a waiting task to exactly one claimant, however many try. */
export async function claimTask(db: Db, id: number): Promise<Row<'tasks'> | null> {
  const row = await db
    .updateTable('tasks')
    .set({ status: 'starting' })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export interface QueuedTask {
  id: number;
  projectId: number;
  templateId: number;
  projectLimit: number;
  allowParallel: boolean;
}

/** The waiting tasks in the order in which they were launched. */
export async function listWaiting(db: Db): Promise<QueuedTask[]> {
  const rows = await db
    .selectFrom('tasks')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select([
      'tasks.id',
      'tasks.project_id as projectId',
      'tasks.template_id as templateId',
      'projects.max_parallel_tasks as projectLimit',
      'templates.allow_parallel_tasks as allowParallel',
    ])
    .where('tasks.status', '=', 'waiting')
    .orderBy('tasks.id')
    .execute();
  return rows.map((row) => ({ ...row, allowParallel: fromFlag(row.allowParallel) }));
}

export interface ActiveTask {
  id: number;
  projectId: number;
  templateId: number;
}

/** The tasks that occupy a slot. */
export async function listActive(db: Db): Promise<ActiveTask[]> {
  return db
    .selectFrom('tasks')
    .select(['id', 'project_id as projectId', 'template_id as templateId'])
    .where('status', 'in', activeStatuses)
    .execute();
}

/** The whole rows of the tasks that a server has, or had, in its hands. */
export async function listActiveRows(db: Db): Promise<Row<'tasks'>[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('status', 'in', activeStatuses)
    .orderBy('id')
    .execute();
}

export async function hasUnfinishedTask(
  db: Db,
  projectId: number,
  templateId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('project_id', '=', projectId)
    .where('template_id', '=', templateId)
    .where('status', 'in', unfinishedStatuses)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
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
