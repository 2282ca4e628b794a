import { sql, type UpdateObject } from 'kysely';
import type { TaskTools } from '#shared/api/task-changes.ts';
import type { Answers, TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { OnlyHosts, TaskProgress } from '#shared/api/tasks.ts';
import {
  finishedStatuses,
  sourcesOf,
  unfinishedStatuses,
  type TaskStatus,
} from '#shared/task-status.ts';
import { brokenRule } from '../../../db/conflict.ts';
import type { Db } from '../../../db/open.ts';
import { deleteRows, hasRow, insertRow, listIds, updateRows } from '../../../db/rows.ts';
import { fromPlain, toPlain, type Plain } from '../../../db/plain-row.ts';
import { searchable } from '../../../db/search.ts';
import type { NewRow, Row, Tables } from '../../../db/tables.ts';

export const taskFlags = {
  debug: 'flag',
  dry_run: 'flag',
  diff: 'flag',
  auto_approve: 'flag',
  log_removed: 'flag',
} as const;

const columns = {
  ...taskFlags,
  environment: 'json',
  secret_answers: 'json',
  snapshot: 'json',
  commands: 'json',
  tools: 'json',
  used_secrets: 'json',
  only_hosts: 'json',
} as const;

export interface TaskJson {
  /** The answers that are not secret. */
  environment: Answers;
  secret_answers: string[] | null;
  snapshot: TaskSnapshot;
  commands: string[];
  tools: TaskTools | null;
  used_secrets: UsedSecrets | null;
  only_hosts: OnlyHosts | null;
}

/** When the secrets of a task had been set; null: before this was recorded. */
export interface UsedSecrets {
  keys: { id: number; set: string | null }[];
  variables: { environment: number; name: string; set: string | null }[];
}

export const toPlainRow = (row: Row<'tasks'>): Plain<Row<'tasks'>, TaskJson> =>
  toPlain<Row<'tasks'>, TaskJson>(columns, row);

/** The whole row, with columns that no reply shows. */
export async function findRow(db: Db, id: number): Promise<Row<'tasks'> | null> {
  const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function insertTask(
  db: Db,
  {
    environmentText = null,
    ...values
  }: Plain<Omit<NewRow<'tasks'>, 'id' | 'search'>, TaskJson> & {
    /** The JSON of the answers as it was sent; null: the shortest JSON. */
    environmentText?: string | null;
  },
): Promise<number> {
  const { message, version = null, commit_hash: hash = null, commit_message: text = '' } = values;
  const search = searchable([message, version, hash, text]);
  return insertRow(db, 'tasks', {
    ...fromPlain(columns, values),
    ...(environmentText !== null && { environment: environmentText }),
    search,
  } as NewRow<'tasks'>);
}

type Change = UpdateObject<Tables, 'tasks'>;

/** A task, with the lease if a runner changes it. */
export interface LeasedTask {
  id: number;
  lease?: number;
}

/** Moves a task to another status. False: its status or the lease does not allow it. */
export const moveStatus = (
  db: Db,
  task: LeasedTask,
  { to, from = sourcesOf(to) }: { to: TaskStatus; from?: TaskStatus[] },
  change: Change = {},
): Promise<boolean> => changeIn(db, task, from, { ...change, status: to });

/** Changes a task. False: it has none of these statuses, or a newer lease. */
export function changeIn(
  db: Db,
  { id, lease }: LeasedTask,
  statuses: TaskStatus[],
  change: Change,
): Promise<boolean> {
  const match = { id, status: statuses, ...(lease !== undefined && { lease }) };
  return updateRows(db, 'tasks', match, change);
}

/** The version of the newest task of a template that has one. */
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

/** A runner reports about a task whose lease it has lost. */
export class LeaseLost extends Error {
  constructor() {
    super('The task belongs to another runner by now.');
  }
}

/** Changes a task for the runner that holds its lease; otherwise throws `LeaseLost`. */
export async function noteOf(
  db: Db,
  { id, lease }: Required<LeasedTask>,
  change: Change,
  /** The change requires these stored counts, because another writer may append at the same time. */
  stored: { log_lines?: number; results?: number } = {},
): Promise<void> {
  if (!(await updateRows(db, 'tasks', { id, lease, ...stored }, change))) throw new LeaseLost();
}

/** Stores JSON that a runner reports about a task. */
export const updateRunReport = (
  db: Db,
  task: Required<LeasedTask>,
  report: Partial<Pick<TaskJson, 'tools' | 'used_secrets'> & { progress: TaskProgress }>,
): Promise<void> => noteOf(db, task, fromPlain({ ...columns, progress: 'json' }, report));

/** Locks a task until the transaction ends; throws `LeaseLost` if the runner does not hold it. */
export const lockHeld = (db: Db, task: Required<LeasedTask>): Promise<void> =>
  noteOf(db, task, { lease: task.lease });

/** False: another task of the template has this version. */
export async function updateVersion(
  db: Db,
  task: Required<LeasedTask>,
  version: string,
): Promise<boolean> {
  try {
    const search = searchable([
      sql.ref('message'),
      version,
      sql.ref('commit_hash'),
      sql.ref('commit_message'),
    ]);
    await noteOf(db, task, { version, search });
    return true;
  } catch (error) {
    if (brokenRule(error)?.rule === 'unique') return false;
    throw error;
  }
}

/** The ids of the unfinished tasks of a template, the newest first. */
export async function listUnfinished(
  db: Db,
  projectId: number,
  templateId: number,
): Promise<number[]> {
  const match = { project_id: projectId, template_id: templateId, status: unfinishedStatuses };
  return (await listIds(db, 'tasks', match)).toReversed();
}

/** False: there is no finished task with this id. */
export function deleteFinished(db: Db, projectId: number, id: number): Promise<boolean> {
  return deleteRows(db, 'tasks', { project_id: projectId, id, status: finishedStatuses });
}

/** Whether an earlier task of the template ran this commit. */
export function hasRunCommit(db: Db, templateId: number, commitHash: string): Promise<boolean> {
  return hasRow(db, 'tasks', { template_id: templateId, commit_hash: commitHash });
}

export async function updateCommit(
  db: Db,
  task: Required<LeasedTask>,
  commit: { commit_hash: string; commit_message: string },
): Promise<void> {
  const { commit_hash: hash, commit_message: message } = commit;
  const search = searchable([sql.ref('message'), sql.ref('version'), hash, message]);
  await noteOf(db, task, { ...commit, search });
}

type SizedTable = 'task_log_chunks' | 'task_result_chunks';

/** The size of the chunks of a task, in bytes. */
const sizeOf = (db: Db, table: SizedTable, id: number) =>
  db
    .selectFrom(table)
    .select(sql<number>`coalesce(sum(length(data)), 0)`.as('bytes'))
    .where('task_id', '=', id);

/** Stores the size of the log and the results of a task. */
export async function updateLogBytes(db: Db, id: number): Promise<void> {
  await db
    .updateTable('tasks')
    .set({
      log_bytes: sql<number>`${sizeOf(db, 'task_log_chunks', id)} + ${sizeOf(db, 'task_result_chunks', id)}`,
    })
    .where('id', '=', id)
    .execute();
}

/** The number of lines of the log of a task; null: no such task. */
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

/** The template of a task; null: the project has no such task. */
export async function findTemplateId(
  db: Db,
  projectId: number,
  id: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('tasks')
    .select('template_id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.template_id ?? null;
}

/** Whose own confirmation does not count; null: anybody's does. */
export async function findNotConfirmedBy(db: Db, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('tasks')
    .select('not_confirmed_by')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.not_confirmed_by ?? null;
}
