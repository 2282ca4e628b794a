// What failed and what waited in the last days. Each statement reads an index, and a limited number
// of rows. Dry runs are excluded.

import { sql } from 'kysely';
import type { ProjectStats } from '#shared/api/stats.ts';
import type { Db } from '../db/open.ts';

/** The templates with the most failed tasks that ended since then. */
export async function listFailingTemplates(
  db: Db,
  projectId: number,
  { since, limit }: { since: string; limit: number },
): Promise<ProjectStats['failing_templates']> {
  return db
    .selectFrom('tasks')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .select(({ fn }) => ['template_id', 'templates.name', fn.countAll<number>().as('failed')])
    .where('tasks.project_id', '=', projectId)
    .where('status', '=', 'error')
    .where('dry_run', '=', 0)
    .where('end', '>=', since)
    .groupBy(['template_id', 'templates.name'])
    .orderBy('failed', 'desc')
    .orderBy('template_id')
    .limit(limit)
    .execute();
}

/** The hosts that failed most in the newest failed tasks that ended since then. */
export async function listFailingHosts(
  db: Db,
  projectId: number,
  { since, tasks, limit }: { since: string; tasks: number; limit: number },
): Promise<ProjectStats['failing_hosts']> {
  const failed = db
    .selectFrom('tasks')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', '=', 'error')
    .where('dry_run', '=', 0)
    .where('end', '>=', since)
    .orderBy('end', 'desc')
    .limit(tasks)
    .as('newest');
  return db
    .selectFrom(failed)
    .innerJoin('task_hosts', 'task_hosts.task_id', 'newest.id')
    .select(({ fn }) => ['host', fn.countAll<number>().as('failed')])
    .where(sql<boolean>`failed + unreachable > 0`)
    .groupBy('host')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('host')
    .limit(limit)
    .execute();
}

interface LaunchedTask {
  created: string;
  not_before: string | null;
  start: string | null;
}

/** The newest tasks; some may have been launched earlier, and some have not started. */
export async function listNewest(
  db: Db,
  projectId: number,
  limit: number,
): Promise<LaunchedTask[]> {
  return db
    .selectFrom('tasks')
    .select(['created', 'not_before', 'start'])
    .where('project_id', '=', projectId)
    .where('dry_run', '=', 0)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
