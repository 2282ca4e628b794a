// What failed and what waited in the last days. Each statement reads an index, and a limited number
// of rows. Dry runs are excluded.

import { sql } from 'kysely';
import type { ProjectStats } from '#shared/api/stats.ts';
import type { Db } from '../db/open.ts';

interface Ranking {
  since: string;
  /** How many of the newest failed tasks are counted. */
  tasks: number;
  limit: number;
}

/** The templates with the most failed tasks that ended since then. */
export async function listFailingTemplates(
  db: Db,
  projectId: number,
  { since, tasks, limit }: Ranking,
): Promise<ProjectStats['failing_templates']> {
  return db
    .selectFrom(newestFailed(db, projectId, { since, tasks }))
    .innerJoin('templates', 'templates.id', 'newest_failed.template_id')
    .select(({ fn }) => ['template_id', 'templates.name', fn.countAll<number>().as('failed')])
    .groupBy(['template_id', 'templates.name'])
    .orderBy('failed', 'desc')
    .orderBy('template_id')
    .limit(limit)
    .execute();
}

/** The hosts that failed most in the failed tasks that ended since then. */
export async function listFailingHosts(
  db: Db,
  projectId: number,
  { since, tasks, limit }: Ranking,
): Promise<ProjectStats['failing_hosts']> {
  return db
    .selectFrom(newestFailed(db, projectId, { since, tasks }))
    .innerJoin('task_hosts', 'task_hosts.task_id', 'newest_failed.id')
    .select(({ fn }) => ['host', fn.countAll<number>().as('failed')])
    .where(sql<boolean>`failed + unreachable > 0`)
    .groupBy('host')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('host')
    .limit(limit)
    .execute();
}

const newestFailed = (db: Db, projectId: number, { since, tasks }: Omit<Ranking, 'limit'>) =>
  db
    .selectFrom('tasks')
    .select(['id', 'template_id'])
    .where('project_id', '=', projectId)
    .where('status', '=', 'error')
    .where('dry_run', '=', 0)
    .where('end', '>=', since)
    .orderBy('end', 'desc')
    .limit(tasks)
    .as('newest_failed');

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
