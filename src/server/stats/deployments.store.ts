import { type Db } from '../db/open.ts';
import { launcherColumns, splitLauncher } from '../db/launcher.ts';
import { newestOfTemplates } from './stats.store.ts';

/** The deploy templates of a project by name, with their first environments. */
export function listDeployTemplates(db: Db, projectId: number, limit: number) {
  return db
    .selectFrom('templates')
    .leftJoin('environments', 'environments.id', 'templates.environment_id')
    .select(['templates.id', 'templates.name', 'templates.build_template_id'])
    .select('environments.name as environment')
    .where('templates.project_id', '=', projectId)
    .where('templates.type', '=', 'deploy')
    .where('templates.build_template_id', 'is not', null)
    .$narrowType<{ build_template_id: number }>()
    .orderBy('templates.name')
    .orderBy('templates.id')
    .limit(limit)
    .execute();
}
export type DeployTemplate = Awaited<ReturnType<typeof listDeployTemplates>>[number];

/** The newest tasks of each template, newest first, without dry runs. */
export async function listNewestTasks(
  db: Db,
  projectId: number,
  newest: Parameters<typeof newestOfTemplates>[2],
) {
  const rows = await newestOfTemplates(db, projectId, newest)
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('workflow_runs', 'workflow_runs.id', 'tasks.workflow_run_id')
    .select(['tasks.id', 'tasks.template_id', 'tasks.status', 'tasks.created', 'tasks.end'])
    .select(['tasks.version', 'tasks.build_task_id', 'templates.name', 'users.name as user_name'])
    .select(launcherColumns)
    .orderBy('tasks.id', 'desc')
    .execute();
  return rows.map((row) => splitLauncher(row, row.name));
}
export type NewestTask = Awaited<ReturnType<typeof listNewestTasks>>[number];

/** Tasks that deploys name as their builds. */
export function listBuilds(db: Db, projectId: number, ids: number[]) {
  return db
    .selectFrom('tasks')
    .select(['id', 'version', 'end', 'build_task_id'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute();
}
export type BuildRow = Awaited<ReturnType<typeof listBuilds>>[number];
