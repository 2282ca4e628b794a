// Tasks as people see them: one, a page of a list, the newest of each template.

import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { PlanCounts } from '#shared/api/task-plan.ts';
import {
  task,
  type OnlyHosts,
  type PlainTask,
  type Task,
  type TaskProgress,
} from '#shared/api/tasks.ts';
import {
  type ConfirmationReason,
  confirmationReasons,
} from '#shared/catalogue/confirmation-reasons.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import {
  finishedStatuses,
  statusesOf,
  type TaskState,
  type TaskStatus,
} from '#shared/task-status.ts';
import { stateOf } from '../../../../node/async/state-of.ts';
import type { Db } from '../../../db/open.ts';
import { toPlain } from '../../../db/plain-row.ts';
import { prepared } from '../../../db/prepared.ts';
import { contains, holds } from '../../../db/search.ts';
import { launcherColumns, splitLauncher } from '../../../db/launcher.ts';
import { taskFlags } from './tasks.store.ts';

/** Built once for each database, because parsing these names is slow in Kysely. */
const selectTasks = stateOf((db: Db) => selectColumns(db));

/** The fields of a task that are columns of its row. */
const ofTask = task
  .omit({
    user_name: true,
    launcher: true,
    secret: true,
    used_runner_id: true,
    tpl_alias: true,
    tpl_type: true,
    tpl_app: true,
    tpl_playbook: true,
    build_task: true,
    waiting_for: true,
  })
  .keyof()
  .options.map((name) => `tasks.${name}` as const);

const ofTemplate = [
  'templates.name as tpl_alias',
  'templates.type as tpl_type',
  'templates.app as tpl_app',
  'templates.playbook as tpl_playbook',
] as const;

function selectColumns(db: Db) {
  return db
    .selectFrom('tasks')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('workflow_runs', 'workflow_runs.id', 'tasks.workflow_run_id')
    .select(ofTask)
    .select(['users.name as user_name', 'tasks.runner_id as used_runner_id'])
    .select(launcherColumns)
    .select(ofTemplate);
}

type TaskRow = Awaited<ReturnType<ReturnType<typeof selectColumns>['execute']>>[number];

const columns = {
  ...taskFlags,
  commands: 'json',
  secret_answers: 'json',
  progress: 'json',
  plan: 'json',
  failure: 'json',
  confirmation_reason: 'json',
  only_hosts: 'json',
} as const;

interface ShownJson {
  commands: string[];
  secret_answers: string[] | null;
  progress: TaskProgress | null;
  plan: PlanCounts | null;
  failure: Failure | null;
  confirmation_reason: ConfirmationReason | null;
  only_hosts: OnlyHosts | null;
}

function toPlainTask(row: TaskRow): PlainTask {
  const plain = toPlain<TaskRow, ShownJson>(columns, row);
  const { failure, secret_answers: secretAnswers, confirmation_reason: why, ...rest } = plain;
  return {
    ...splitLauncher(rest, rest.tpl_alias),
    secret_answers: secretAnswers ?? [],
    failure: failure && { ...failure, text: taskFailures.message(failure) },
    confirmation_reason: why && { ...why, text: confirmationReasons.message(why) },
    secret: '',
  };
}

/** Adds the builds of deploys, with one statement for all of them. */
async function toTasks(db: Db, rows: TaskRow[]): Promise<Task[]> {
  const ids = rows.flatMap(({ build_task_id: id }) => (id === null ? [] : [id]));
  const builds = new Map<number | null, PlainTask>();
  if (ids.length > 0) {
    const found = await selectTasks(db).where('tasks.id', 'in', ids).execute();
    for (const build of found) builds.set(build.id, toPlainTask(build));
  }
  return rows.map((row) => ({
    ...toPlainTask(row),
    build_task: builds.get(row.build_task_id) ?? null,
    waiting_for: null,
  }));
}

export async function findTask(db: Db, projectId: number, id: number): Promise<Task | null> {
  const row = await selectTasks(db)
    .where('tasks.project_id', '=', projectId)
    .where('tasks.id', '=', id)
    .modifyEnd(prepared('find_task'))
    .executeTakeFirst();
  const [found = null] = await toTasks(db, row ? [row] : []);
  return found;
}

export interface TaskFilter {
  projectId: number;
  templateId?: number | undefined;
  userId?: number | undefined;
  status?: TaskStatus | undefined;
  state?: TaskState | undefined;
  /** Only tasks that ended at this time or later, or are unfinished. */
  from?: string | undefined;
  /** Only tasks that ended before this time. */
  to?: string | undefined;
  /** A text to search for in the texts of the task. */
  q?: string | undefined;
  /** Only tasks older than this one. */
  before?: number | undefined;
  limit: number;
}

/** The ids of the tasks of a filter, the newest first; covered by indexes. */
function selectIds(db: Db, filter: Omit<TaskFilter, 'limit'>) {
  const { projectId, templateId, userId, status, state, q, before } = filter;
  let query = db
    .selectFrom('tasks')
    .select('tasks.id')
    .where('tasks.project_id', '=', projectId)
    // Few are unfinished: the unary plus prevents a scan of all others by id in SQLite.
    .orderBy(state === 'unfinished' ? sql`+tasks.id` : 'tasks.id', 'desc');
  if (templateId !== undefined) query = query.where('tasks.template_id', '=', templateId);
  if (userId !== undefined) query = query.where('tasks.user_id', '=', userId);
  if (status !== undefined) query = query.where('tasks.status', '=', status);
  if (state !== undefined) query = query.where('tasks.status', 'in', statusesOf(state));
  for (const condition of endsWithin(filter)) query = query.where(condition);
  if (q) query = query.where(isFound(db, projectId, q));
  if (before !== undefined) query = query.where('tasks.id', '<', before);
  return query;
}

/** By the time of the end; an unfinished task ends after every time. */
function endsWithin({ from, to, status, state }: Omit<TaskFilter, 'limit'>): RawBuilder<SqlBool>[] {
  const parts: RawBuilder<SqlBool>[] = [];
  const isOpen = to === undefined ? sql` or tasks."end" is null` : sql``;
  if (from !== undefined) parts.push(sql`(tasks."end" >= ${from}${isOpen})`);
  if (to !== undefined) parts.push(sql`tasks."end" < ${to}`);
  // The status is the first column of the index of these times.
  if (to !== undefined && status === undefined && state === undefined) {
    parts.push(sql`tasks.status in (${sql.join(finishedStatuses)})`);
  }
  return parts;
}

/** Searches the texts of tasks, and the names of their templates and users. */
function isFound(db: Db, projectId: number, q: string) {
  const templates = db
    .selectFrom('templates')
    .select('id')
    .where('project_id', '=', projectId)
    .where(contains(['name'], q));
  const users = db
    .selectFrom('users')
    .select('id')
    .where(contains(['name'], q));
  return sql<SqlBool>`(${holds('tasks.search', q)}
    or tasks.template_id in (${templates}) or tasks.user_id in (${users}))`;
}

/** The oldest of the newest `looked` tasks of a filter without its text. Null: there are fewer. */
export async function findReach(
  db: Db,
  { q: _text, ...filter }: Omit<TaskFilter, 'limit'>,
  looked: number,
): Promise<number | null> {
  const row = await selectIds(db, filter)
    .offset(looked - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The number of tasks of a filter from the task `oldest` on, at most `limit`. */
export async function countTasks(
  db: Db,
  filter: TaskFilter,
  oldest: number | null = null,
): Promise<number> {
  let ids = selectIds(db, filter).clearOrderBy().limit(filter.limit);
  if (oldest !== null) ids = ids.where('tasks.id', '>=', oldest);
  const { count } = await db
    .selectFrom(ids.as('found'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The tasks of a filter from the task `oldest` on, newest first. */
export async function listTasks(
  db: Db,
  filter: TaskFilter,
  oldest: number | null = null,
): Promise<Task[]> {
  let ids = selectIds(db, filter).limit(filter.limit);
  if (oldest !== null) ids = ids.where('tasks.id', '>=', oldest);
  const rows = await selectTasks(db)
    .where('tasks.id', 'in', ids)
    .orderBy('tasks.id', 'desc')
    .execute();
  return toTasks(db, rows);
}

/** The newest task of each of these templates of the project. */
export async function listLastTasks(
  db: Db,
  projectId: number,
  templateIds: number[],
): Promise<Task[]> {
  if (templateIds.length === 0) return [];
  // One index lookup for each template.
  const newest = db
    .selectFrom('templates')
    .select((eb) =>
      eb
        .selectFrom('tasks as newest')
        .select(({ fn }) => fn.max('newest.id').as('id'))
        .whereRef('newest.template_id', '=', 'templates.id')
        .as('id'),
    )
    .where('project_id', '=', projectId)
    .where('id', 'in', templateIds);
  const rows = await selectTasks(db).where('tasks.id', 'in', newest).execute();
  return toTasks(db, rows);
}
