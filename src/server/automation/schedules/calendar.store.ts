// What became of the due times of a calendar, and its schedules.

import { sql } from 'kysely';
import type { FireResult } from '#shared/api/schedules.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import type { RunStatus } from '#shared/workflows/run-status.ts';
import type { Db } from '../../db/open.ts';

/** Those that are due next come first. */
export function listCalendarRows(db: Db, projectId: number, limit: number) {
  return db
    .selectFrom('schedules')
    .leftJoin('templates', 'templates.id', 'schedules.template_id')
    .leftJoin('workflows', 'workflows.id', 'schedules.workflow_id')
    .select([
      'schedules.id',
      'schedules.name',
      'schedules.template_id',
      'templates.name as tpl_name',
      'schedules.workflow_id',
      'workflows.name as workflow_name',
      'schedules.active',
      'schedules.cron_format',
      'schedules.run_at',
      'schedules.time_zone',
      'schedules.next_due',
    ])
    .where('schedules.project_id', '=', projectId)
    .orderBy(sql`schedules.next_due is null`)
    .orderBy('schedules.next_due')
    .orderBy('schedules.id')
    .limit(limit)
    .execute();
}
export type CalendarRow = Awaited<ReturnType<typeof listCalendarRows>>[number];

/** The fires of one schedule within an hour that had the same result. */
export interface FireGroup {
  schedule_id: number;
  result: FireResult;
  task_status: TaskStatus | null;
  run_status: RunStatus | null;
  count: number;
  due: string;
  last: string;
  task_id: number | null;
  workflow_run_id: number | null;
  start: string | null;
  end: string | null;
}

/** Grouped by hours, since a schedule of each minute has a thousand fires. The oldest first. */
export async function listFireGroups(
  db: Db,
  scheduleIds: number[],
  { from, to }: { from: string; to: string },
): Promise<FireGroup[]> {
  const rows = await db
    .selectFrom('schedule_fires as fires')
    .leftJoin('tasks', 'tasks.id', 'fires.task_id')
    .leftJoin('workflow_runs as runs', 'runs.id', 'fires.workflow_run_id')
    .select(({ fn }) => [
      'fires.schedule_id',
      'fires.result',
      'tasks.status as task_status',
      'runs.status as run_status',
      fn.sum<number | string>('fires.count').as('count'),
      fn.min('fires.due').as('due'),
      fn.max('fires.due').as('last'),
      fn.max('fires.task_id').as('task_id'),
      fn.max('fires.workflow_run_id').as('workflow_run_id'),
      sql<string | null>`max(coalesce(tasks.start, runs.created))`.as('start'),
      sql<string | null>`max(coalesce(tasks."end", runs."end"))`.as('end'),
    ])
    .where('fires.schedule_id', 'in', scheduleIds)
    .where('fires.due', '>=', from)
    .where('fires.due', '<', to)
    .groupBy(['fires.schedule_id', 'fires.result', 'tasks.status', 'runs.status'])
    .groupBy(sql`substr(fires.due, 1, 13)`)
    .orderBy('due')
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** The durations of the newest successful runs of a workflow, in milliseconds. */
export async function listRunDurations(
  db: Db,
  { projectId, workflowId, limit }: { projectId: number; workflowId: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('workflow_runs')
    .select(['created', 'end'])
    .where('project_id', '=', projectId)
    .where('workflow_id', '=', workflowId)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ created, end }) => Date.parse(end ?? created) - Date.parse(created));
}
