// Statements of dashboards and lists. Dry runs are excluded, since their durations differ.

import { sql } from 'kysely';
import type { CalendarDay } from '#shared/api/schedule-calendar.ts';
import type { DayStats } from '#shared/api/stats.ts';
import type { Db } from '../db/open.ts';
import type { Row } from '../db/tables.ts';
import type { DayRun, Run } from './durations.ts';

/** A table of days for a `with` clause: days(day, since, until). */
function daysTable(days: CalendarDay[]) {
  const values = days.map(
    ({ day, from, to }) => sql`(cast(${day} as text), cast(${from} as text), cast(${to} as text))`,
  );
  return sql`days(day, since, until) as (values ${sql.join(values)})`;
}

/** The tasks of projects by end day and status, by project and day. */
export async function countByDay(
  db: Db,
  projectIds: number[],
  days: CalendarDay[],
): Promise<(DayStats & { project_id: number })[]> {
  if (projectIds.length === 0) return [];
  const ids = projectIds.map((id) => sql`(cast(${id} as integer))`);
  // One index range per count avoids a sort.
  const count = (status: 'success' | 'error' | 'stopped') => sql`(
    select count(*) from tasks
    where tasks.project_id = p.id and status = ${status} and dry_run = 0
      and "end" >= since and "end" < until)`;
  const { rows } = await sql<DayStats & { project_id: number }>`
    with ${daysTable(days)},
      p(id) as (values ${sql.join(ids)})
    select p.id as project_id, day, ${count('success')} as success, ${count('error')} as error,
      ${count('stopped')} as stopped
    from p cross join days order by p.id, day`.execute(db);
  return rows;
}

export async function listSuccesses(
  db: Db,
  projectId: number,
  { since, limit }: { since: string; limit: number },
): Promise<Run[]> {
  return db
    .selectFrom('tasks')
    .select(['template_id', 'start', 'end'])
    .where('project_id', '=', projectId)
    .where('status', '=', 'success')
    .where('dry_run', '=', 0)
    .where('end', '>=', since)
    .where('start', 'is not', null)
    .orderBy('end', 'desc')
    .limit(limit)
    .$narrowType<{ start: string; end: string }>()
    .execute();
}

/** The newest successful tasks of each day. */
export async function listSuccessesByDay(
  db: Db,
  projectId: number,
  { days, limit }: { days: CalendarDay[]; limit: number },
): Promise<DayRun[]> {
  // One index range per day: a busy day does not displace the others.
  const ofDay = sql`project_id = ${projectId} and status = 'success' and dry_run = 0
    and start is not null and "end" < until`;
  const { rows } = await sql<DayRun>`
    with ${daysTable(days)}
    select day, start, "end" from days cross join tasks
    where ${ofDay} and "end" >= coalesce((
      select "end" from tasks where ${ofDay} and "end" >= since
      order by "end" desc limit 1 offset ${limit - 1}), since)`.execute(db);
  return rows;
}

/** Newest first. */
export async function listLaunches(
  db: Db,
  templateId: number,
  {
    since,
    until,
    userId,
    limit,
  }: { since: string | null; until: string | null; userId: number | undefined; limit: number },
): Promise<Launch[]> {
  let query = db
    .selectFrom('tasks')
    .select(['created', 'status', 'start', 'end'])
    .where('template_id', '=', templateId)
    .where('dry_run', '=', 0)
    .orderBy('id', 'desc')
    .limit(limit);
  if (since !== null) query = query.where('created', '>=', since);
  if (until !== null) query = query.where('created', '<', until);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return query.execute();
}

export type Launch = Pick<Row<'tasks'>, 'created' | 'status' | 'start' | 'end'>;

export async function listNames(
  db: Db,
  projectId: number,
  ids: number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('templates')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type LastRunRow = Pick<
  Row<'tasks'>,
  'id' | 'template_id' | 'status' | 'created' | 'start' | 'end'
>;

interface Newest {
  templateIds: number[];
  /** Of each template. */
  limit: number;
}

/** The newest tasks of each template of the project, without dry runs. */
export const newestOfTemplates = (db: Db, projectId: number, { templateIds, limit }: Newest) =>
  db
    .selectFrom('templates')
    .innerJoin('tasks', 'tasks.template_id', 'templates.id')
    .where('templates.project_id', '=', projectId)
    .where('templates.id', 'in', templateIds)
    .where('tasks.dry_run', '=', 0)
    // The id of the oldest of them bounds the scan of the index.
    .where(
      'tasks.id',
      '>=',
      sql<number>`coalesce((select newest.id from tasks newest
        where newest.template_id = templates.id and newest.dry_run = 0
        order by newest.id desc limit 1 offset ${limit - 1}), 0)`,
    );

/** Oldest first. */
export async function listLastRuns(
  db: Db,
  projectId: number,
  newest: Newest,
): Promise<LastRunRow[]> {
  return newestOfTemplates(db, projectId, newest)
    .select(['tasks.id', 'tasks.template_id', 'tasks.status', 'tasks.created'])
    .select(['tasks.start', 'tasks.end'])
    .orderBy('tasks.id')
    .execute();
}

/** When schedules launch templates of the project next, by template id. */
export async function listNextRuns(
  db: Db,
  projectId: number,
  templateIds: number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('schedules')
    .select(({ fn }) => ['template_id', fn.min('next_due').as('next_due')])
    .where('project_id', '=', projectId)
    .where('template_id', 'in', templateIds)
    .where('next_due', 'is not', null)
    .groupBy('template_id')
    .$narrowType<{ template_id: number; next_due: string }>()
    .execute();
  return new Map(rows.map(({ template_id: id, next_due: due }) => [id, due]));
}

/** The ids of templates of the project, those asked for or all; oldest first. */
export async function listTemplateIds(
  db: Db,
  projectId: number,
  asked: number[] | undefined,
  limit: number,
): Promise<number[]> {
  let query = db
    .selectFrom('templates')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('id')
    .limit(limit);
  if (asked) query = query.where('id', 'in', asked);
  return (await query.execute()).map(({ id }) => id);
}
