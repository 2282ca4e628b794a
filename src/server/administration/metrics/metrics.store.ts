// Queries of the metrics, which read only rows of unfinished tasks, by their index.

import { sql } from 'kysely';
import type { ExecutionKind } from '#shared/api/execution-environments.ts';
import { unfinishedStatuses, type TaskStatus } from '#shared/task-status.ts';
import type { Db } from '../../db/open.ts';

/** Measures the latency of the database. */
export async function askForOne(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Unfinished tasks of one template with the same status and kind of execution environment. */
export interface TaskGroup {
  project_id: number;
  template_id: number;
  status: TaskStatus;
  execution_kind: ExecutionKind;
  /** The time of their retry; null for tasks that wait for no retry. */
  not_before: string | null;
  count: number;
  /** When the oldest of them was launched. */
  oldest: string;
}

/** `now` separates due tasks from those that wait for a retry. */
export async function listGroups(db: Db, now: string): Promise<TaskGroup[]> {
  const later = sql<string | null>`case when not_before > ${now} then not_before end`;
  const { rows } = await sql<TaskGroup>`
    select project_id, template_id, status, execution_kind, max(later) as not_before,
      count(*) as count, min(created) as oldest
    from (
      select project_id, template_id, status, execution_kind, created, ${later} as later
      from tasks where status in (${sql.join(unfinishedStatuses)})
    ) as unfinished
    group by project_id, template_id, status, execution_kind,
      case when later is null then 0 else 1 end
    order by oldest`.execute(db);
  return rows;
}

/** The names of these templates and their projects. */
export async function listNames(db: Db, ids: number[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('templates')
    .innerJoin('projects', 'projects.id', 'templates.project_id')
    .select(['templates.id', 'templates.name', 'project_id', 'projects.name as project'])
    .where('templates.id', 'in', ids)
    .execute();
}

export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('alert_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return count;
}
