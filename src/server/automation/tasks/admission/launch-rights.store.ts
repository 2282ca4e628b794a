import { sql } from 'kysely';
import { allRights, type Rights } from '#shared/rights.ts';
import type { Db } from '../../../db/open.ts';
import { prepared } from '../../../db/prepared.ts';
import { rightsOf } from '../../../db/rights/role-rights.ts';
import type { LeftTask } from '../runs/run.store.ts';

export interface LaunchedTask extends LeftTask {
  user_id: number | null;
  workflow_run_id: number | null;
  /** What its launcher may do in the project now; null: the account is gone. */
  launcher: { username: string; rights: Rights } | null;
}

/**
 * A task with who answers for it: who has launched it, or has changed its schedule or integration last. Null if nobody
 * is known, because it was made before that was recorded.
 */
export async function findLaunchedTask(db: Db, taskId: number): Promise<LaunchedTask | null> {
  const launcherId = sql<number>`coalesce(tasks.user_id, workflow_runs.requested_by,
    workflow_runs.user_id, schedules.changed_by, integrations.changed_by)`;
  const row = await db
    .selectFrom('tasks')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('workflow_runs', 'workflow_runs.id', 'tasks.workflow_run_id')
    .leftJoin('users', (join) => join.on('users.id', '=', launcherId))
    .leftJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'users.id')
        .onRef('members.project_id', '=', 'tasks.project_id'),
    )
    .leftJoin('roles', 'roles.id', 'members.role_id')
    .select(['tasks.id', 'tasks.project_id', 'tasks.lease'])
    .select(['tasks.user_id', 'tasks.workflow_run_id'])
    .select(['users.username', 'users.admin', 'members.role', 'roles.rights'])
    .where('tasks.id', '=', taskId)
    .where(launcherId, 'is not', null)
    .modifyEnd(prepared('find_launched_task'))
    .executeTakeFirst();
  if (!row) return null;
  const { username, admin, role, rights, ...task } = row;
  const held = admin ? allRights : rightsOf({ role, rights });
  return { ...task, launcher: username === null ? null : { username, rights: held } };
}
