import { sql } from 'kysely';
import { shortRun } from '#shared/api/workflow-runs.ts';
import type { WorkflowGraph } from '#shared/workflows/graph.ts';
import { completeGraph } from '#shared/workflows/stored-graph.ts';
import { unfinishedRunStatuses, type RunStatus } from '#shared/workflows/run-status.ts';
import type { Db } from '../../../db/open.ts';
import { findRow, hasRow, insertRow, listIds, updateRows } from '../../../db/rows.ts';
import { fromPlain, toPlain, type Plain } from '../../../db/plain-row.ts';
import { isSqlite } from '../../../db/row.ts';
import type { NewRow, Row } from '../../../db/tables.ts';

const columns = { graph: 'json', force_stop: 'flag' } as const;

interface RunJson {
  graph: WorkflowGraph;
}

export type RunRow = Plain<Row<'workflow_runs'>, RunJson>;

/** The user who requested a run, or for runs of earlier versions the user who launched it. */
export const requesterOf = (run: Pick<RunRow, 'user_id' | 'requested_by'>): number | null =>
  run.requested_by ?? run.user_id;

function toRun(row: Row<'workflow_runs'>): RunRow {
  const run = toPlain<Row<'workflow_runs'>, RunJson>(columns, row);
  return { ...run, graph: completeGraph(run.graph) };
}

export function insertRun(
  db: Db,
  values: Plain<Omit<NewRow<'workflow_runs'>, 'id'>, RunJson>,
): Promise<number> {
  return insertRow(db, 'workflow_runs', fromPlain(columns, values) as NewRow<'workflow_runs'>);
}

/** Locks a run until the transaction ends, which serializes its events. */
export async function lockRun(db: Db, id: number): Promise<RunRow | null> {
  const one = db.selectFrom('workflow_runs').selectAll().where('id', '=', id);
  // In SQLite only one transaction writes at a time anyway.
  const query = isSqlite(db as never) ? one : one.forUpdate();
  const row = await query.executeTakeFirst();
  return row ? toRun(row) : null;
}

export async function findRun(db: Db, projectId: number, id: number): Promise<RunRow | null> {
  const row = await findRow(db, 'workflow_runs', { project_id: projectId, id });
  return row && toRun(row);
}

/** Without large columns. */
export type ShortRunRow = Omit<RunRow, 'graph' | 'extracted'>;

const shownColumns = shortRun.omit({ user_name: true, launcher: true, waits_for: true }).keyof();
const shortColumns = [...shownColumns.options, 'username', 'force_stop', 'parent_node'] as const;

const toShortRun = (row: Omit<Row<'workflow_runs'>, 'graph' | 'extracted'>): ShortRunRow =>
  toPlain<typeof row, object>({ force_stop: 'flag' }, row) as ShortRunRow;

/** The graphs of these runs, by their ids. */
export async function listGraphs(db: Db, ids: number[]): Promise<Map<number, WorkflowGraph>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('workflow_runs')
    .select(['id', 'graph'])
    .where('id', 'in', ids)
    .execute();
  const plain = rows.map((row) => toPlain<(typeof rows)[number], RunJson>({ graph: 'json' }, row));
  return new Map(plain.map(({ id, graph }) => [id, completeGraph(graph)]));
}

interface ListOptions {
  workflowId?: number | undefined;
  status?: RunStatus | undefined;
  isUnfinished?: boolean;
  limit: number;
  before?: number | undefined;
}

/** Newest first. */
export async function listRuns(
  db: Db,
  projectId: number,
  { workflowId, status, isUnfinished = false, limit, before }: ListOptions,
): Promise<ShortRunRow[]> {
  let query = db
    .selectFrom('workflow_runs')
    .select(shortColumns)
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (workflowId !== undefined) query = query.where('workflow_id', '=', workflowId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (isUnfinished) query = query.where('status', 'in', unfinishedRunStatuses);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query.execute()).map(toShortRun);
}

/** The newest workflows first. */
export async function listWorkflowIds(db: Db, projectId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('workflows')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function listNewestRuns(
  db: Db,
  projectId: number,
  workflowIds: number[],
): Promise<ShortRunRow[]> {
  if (workflowIds.length === 0) return [];
  const rows = await db
    .selectFrom('workflow_runs')
    .select(shortColumns)
    .where('id', 'in', ({ selectFrom, fn }) =>
      selectFrom('workflow_runs')
        .select(fn.max('id').as('id'))
        .where('project_id', '=', projectId)
        .where('workflow_id', 'in', workflowIds)
        .groupBy('workflow_id'),
    )
    .execute();
  return rows.map(toShortRun);
}

/** The names by id. */
export async function listNames(
  db: Db,
  table: 'users' | 'schedules' | 'integrations' | 'workflow_runs',
  maybeIds: (number | null)[],
): Promise<Map<number, string>> {
  const ids = [...new Set(maybeIds)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function listUnfinishedRuns(
  db: Db,
  projectId: number,
  workflowId: number,
): Promise<number[]> {
  return listIds(db, 'workflow_runs', {
    project_id: projectId,
    workflow_id: workflowId,
    status: unfinishedRunStatuses,
  });
}

export function hasUnfinishedRun(db: Db, scheduleId: number): Promise<boolean> {
  return hasRow(db, 'workflow_runs', { schedule_id: scheduleId, status: unfinishedRunStatuses });
}

/** The stopping runs of all projects. */
export const listStopping = (db: Db): Promise<{ id: number; project_id: number }[]> =>
  db
    .selectFrom('workflow_runs')
    .select(['id', 'project_id'])
    .where('status', '=', sql.lit('stopping'))
    .orderBy('id')
    .execute();

export async function updateRun(
  db: Db,
  id: number,
  change: { status: RunStatus; end?: string; force_stop?: boolean },
): Promise<void> {
  await updateRows(db, 'workflow_runs', { id }, fromPlain(columns, change));
}

/** False: there is no finished run with this id. */
export async function deleteFinishedRun(db: Db, projectId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('workflow_runs')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('status', 'not in', unfinishedRunStatuses)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The unfinished runs of all projects. */
export const listUnfinished = (db: Db): Promise<{ id: number; project_id: number }[]> =>
  db
    .selectFrom('workflow_runs')
    .select(['id', 'project_id'])
    .where('status', 'in', unfinishedRunStatuses)
    .orderBy('id')
    .execute();
