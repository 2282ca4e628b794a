import { sql } from 'kysely';
import type { Schedule } from '#shared/api/schedules.ts';
import type { Starts } from '#shared/api/starts.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, insertRow, updateRows } from '../../db/rows.ts';
import type { ListOptions, Versioned } from '../../db/resource.ts';
import { fromPlain, toPlain, type Plain } from '../../db/plain-row.ts';
import { toFlag } from '../../db/row.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import { splitTaskParams, type TaskParamsColumns } from '../../db/task-params.ts';

const columns = { active: 'flag', delete_after_run: 'flag', task_params: 'json' } as const;

type ScheduleJson = Pick<TaskParamsColumns, 'task_params'>;

type StoredRow = Row<'schedules'> & { tpl_name: string | null; workflow_name: string | null };

/** The whole row, with the columns that no reply has. */
export type ScheduleRow = Plain<StoredRow, ScheduleJson>;

const toRow = (row: StoredRow): ScheduleRow => toPlain<StoredRow, ScheduleJson>(columns, row);

const selectRows = (db: Db) =>
  db
    .selectFrom('schedules')
    .leftJoin('templates', 'templates.id', 'schedules.template_id')
    .leftJoin('workflows', 'workflows.id', 'schedules.workflow_id')
    .selectAll('schedules')
    .select(['templates.name as tpl_name', 'workflows.name as workflow_name']);

export type BareSchedule = Omit<Schedule, 'last_fire'>;

const selectSchedules = (db: Db, projectId: number) =>
  selectRows(db).where('schedules.project_id', '=', projectId);

function toSchedule(stored: StoredRow): Versioned<BareSchedule> {
  const { last_commit: _commit, changed_by: _by, ...row } = toRow(stored);
  return splitTaskParams(row);
}

export interface ScheduleFilter extends Omit<ListOptions, 'where'> {
  starts?: Starts;
  templateId?: number | undefined;
  workflowId?: number | undefined;
  /** Only schedules that belong to their template: by cron, and without a name or with a repository. */
  isOwn?: boolean;
}

export async function listSchedules(
  db: Db,
  projectId: number,
  { sort = 'name', order = 'asc', limit, isOwn = false, ...filter }: ScheduleFilter,
): Promise<BareSchedule[]> {
  let query = selectSchedules(db, projectId)
    // The engines sort null differently.
    .$if(sort === 'next_due', (all) => all.orderBy(sql`schedules.next_due is null`))
    .orderBy(sql.ref(`schedules.${sort}`), order)
    .orderBy('schedules.id', order);
  const { starts = 'all', templateId, workflowId } = filter;
  if (starts !== 'all') {
    query = query.where(
      `schedules.${starts === 'templates' ? 'template_id' : 'workflow_id'}`,
      'is not',
      null,
    );
  }
  if (templateId !== undefined) query = query.where('schedules.template_id', '=', templateId);
  if (workflowId !== undefined) query = query.where('schedules.workflow_id', '=', workflowId);
  if (isOwn) {
    query = query.where((eb) =>
      eb.and([
        // The form of a template supports cron texts only.
        eb('schedules.type', '!=', 'run_at'),
        eb.or([eb('schedules.repository_id', 'is not', null), eb('schedules.name', '=', '')]),
      ]),
    );
  }
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(toSchedule);
}

export async function findSchedule(
  db: Db,
  projectId: number,
  id: number,
): Promise<Versioned<BareSchedule> | null> {
  const row = await selectSchedules(db, projectId)
    .where('schedules.id', '=', id)
    .executeTakeFirst();
  return row ? toSchedule(row) : null;
}

type Values = Plain<
  Omit<NewRow<'schedules'>, 'id' | 'project_id' | 'revision' | 'last_commit'>,
  ScheduleJson
>;

export function insertSchedule(db: Db, projectId: number, values: Values): Promise<number> {
  return insertRow(db, 'schedules', {
    ...fromPlain(columns, values),
    project_id: projectId,
  } as NewRow<'schedules'>);
}

/**
 * Locks a schedule until the transaction ends, and clears its last commit. False: no such schedule, or
 * another revision.
 */
export function beginChange(
  db: Db,
  { projectId, id, revision }: { projectId: number; id: number; revision: number | null },
): Promise<boolean> {
  const match = { project_id: projectId, id, ...(revision !== null && { revision }) };
  return updateRows(db, 'schedules', match, { last_commit: null, revision: sql`revision + 1` });
}

export async function updateSchedule(db: Db, id: number, values: Partial<Values>): Promise<void> {
  await db.updateTable('schedules').set(fromPlain(columns, values)).where('id', '=', id).execute();
}

export function removeRow(db: Db, projectId: number, id: number): Promise<boolean> {
  return deleteRows(db, 'schedules', { project_id: projectId, id });
}

export async function findRow(db: Db, id: number): Promise<ScheduleRow | null> {
  const row = await selectRows(db).where('schedules.id', '=', id).executeTakeFirst();
  return row ? toRow(row) : null;
}

/** The due schedules of all projects, in the order of their due times. */
export async function listDueRows(
  db: Db,
  { now, except, limit }: { now: string; except: number[]; limit: number },
): Promise<ScheduleRow[]> {
  let query = selectRows(db)
    .where('next_due', '<=', now)
    .orderBy('next_due')
    .orderBy('schedules.id')
    .limit(limit);
  if (except.length > 0) query = query.where('schedules.id', 'not in', except);
  return (await query.execute()).map(toRow);
}

/** The cron schedules of all projects that are due after a time. */
export async function listCronRows(db: Db, after: string): Promise<ScheduleRow[]> {
  const rows = await selectRows(db)
    .where('next_due', '>', after)
    .where('schedules.run_at', 'is', null)
    .execute();
  return rows.map(toRow);
}

export async function findNextDue(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('schedules')
    .select(({ fn }) => fn.min('next_due').as('due'))
    .executeTakeFirst();
  return row?.due ?? null;
}

/**
 * Moves the due time of a schedule on, and switches off one that is not due again. False: another server
 * has done so, or the schedule was changed.
 */
export function takeDue(
  db: Db,
  { id, next_due, revision }: Pick<Row<'schedules'>, 'id' | 'next_due' | 'revision'>,
  next: string | null,
): Promise<boolean> {
  return updateRows(
    db,
    'schedules',
    { id, next_due, revision },
    { next_due: next, ...(next === null && { active: toFlag(false) }) },
  );
}

/** Stores the commit of the last launch, unless the schedule has changed. */
export async function rememberCommit(
  db: Db,
  { id, revision }: Pick<Row<'schedules'>, 'id' | 'revision'>,
  commit: string,
): Promise<void> {
  await updateRows(db, 'schedules', { id, revision }, { last_commit: commit });
}

export async function switchAllOff(db: Db): Promise<void> {
  await db.updateTable('schedules').set({ active: 0, next_due: null }).execute();
}
