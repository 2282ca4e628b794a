import { allRights, type Rights } from '#shared/rights.ts';
import type { Db } from '../../../db/open.ts';
import { prepared } from '../../../db/prepared.ts';
import { rightsOf } from '../../../db/rights/role-rights.ts';

/**
 * Who answers for a task: who has launched it, or has changed its schedule or integration last. Null: nobody that is
 * known. It was made before that was recorded.
 */
export function findLauncher(db: Db, taskId: number) {
  return db
    .selectFrom('tasks')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('workflow_runs', 'workflow_runs.id', 'tasks.workflow_run_id')
    .select(({ fn }) => [
      'tasks.id',
      'tasks.project_id',
      'tasks.lease',
      'tasks.user_id',
      'tasks.workflow_run_id',
      fn
        .coalesce(
          'tasks.user_id',
          'workflow_runs.requested_by',
          'workflow_runs.user_id',
          'schedules.changed_by',
          'integrations.changed_by',
        )
        .as('launcher'),
    ])
    .where('tasks.id', '=', taskId)
    .modifyEnd(prepared('find_launcher'))
    .executeTakeFirst();
}

/** What a user may do in a project; null: the account is gone. */
export async function findHolder(
  db: Db,
  projectId: number,
  userId: number,
): Promise<{ username: string; rights: Rights } | null> {
  const row = await db
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'users.id').on('members.project_id', '=', projectId),
    )
    .leftJoin('roles', 'roles.id', 'members.role_id')
    .select(['users.username', 'users.admin', 'members.role', 'roles.rights'])
    .where('users.id', '=', userId)
    .modifyEnd(prepared('find_holder'))
    .executeTakeFirst();
  if (!row) return null;
  return { username: row.username, rights: row.admin ? allRights : rightsOf(row) };
}
