import type { ActiveTask } from '#shared/api/active-tasks.ts';
import type { ExecutionKind } from '#shared/api/execution-environments.ts';
import { unfinishedStatuses } from '#shared/task-status.ts';
import type { Db } from '../../db/open.ts';
import { findValue } from '../../db/rows.ts';
import { toPlain } from '../../db/plain-row.ts';
import { launcherColumns, splitLauncher } from '../../db/launcher.ts';

export interface ActiveRow extends Omit<ActiveTask, 'username' | 'location' | 'waiting_for'> {
  username: string | null;
  not_before: string | null;
  execution_kind: ExecutionKind;
}

/** Lists the unfinished tasks of all projects, or with `id` only this one. */
export async function listActive(db: Db, id?: number): Promise<ActiveRow[]> {
  let query = db
    .selectFrom('tasks')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('workflow_runs', 'workflow_runs.id', 'tasks.workflow_run_id')
    .select([
      'tasks.id as task_id',
      'tasks.project_id',
      'projects.name as project_name',
      'tasks.template_id',
      'templates.name as template_name',
      'users.username',
      'tasks.status',
      'tasks.dry_run',
      'tasks.created',
      'tasks.start',
      'tasks.not_before',
      'tasks.execution_kind',
      'tasks.runner_id',
      'tasks.runner_name',
    ])
    .select(launcherColumns)
    .where('tasks.status', 'in', unfinishedStatuses)
    .orderBy('tasks.id');
  if (id !== undefined) query = query.where('tasks.id', '=', id);
  const rows = await query.execute();
  return rows.map((row) =>
    splitLauncher(toPlain<typeof row>({ dry_run: 'flag' }, row), row.template_name),
  );
}

export function findProjectOf(db: Db, taskId: number): Promise<number | null> {
  return findValue(db, 'tasks', 'project_id', { id: taskId });
}
