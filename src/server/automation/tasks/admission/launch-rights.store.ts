import { sql } from 'kysely';
import { allRights, type Rights } from '#shared/rights.ts';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain } from '../../../db/plain-row.ts';
import { prepared } from '../../../db/prepared.ts';
import { isExempt, type ObjectRef, type ObjectRights } from '../../../db/rights/object-rights.ts';
import { loadObjectRights } from '../../../db/rights/object-rights.store.ts';
import { anyGrant, anyRestriction, rightsOf } from '../../../db/rights/role-rights.ts';
import type { LeftTask } from '../runs/run.store.ts';

export interface LaunchedTask extends LeftTask {
  user_id: number | null;
  workflow_run_id: number | null;
  template_id: number;
  /** What its launcher may do with what they have launched now; null: the account is gone. */
  launcher: Launcher | null;
}

interface Launcher {
  id: number;
  username: string;
  rights: Rights;
  /** What they may do with each object, where grants or restrictions count; null: what the role allows. */
  objects: ObjectRights | null;
}

export type LauncherRef = Pick<Launcher, 'id' | 'username'>;

/**
 * A task with who answers for it: who has launched it, or has changed its schedule or integration last. Null if nobody
 * is known, because it was made before that was recorded.
 */
export async function findLaunchedTask(db: Db, taskId: number): Promise<LaunchedTask | null> {
  const row = await findLaunched(db, taskId);
  if (!row) return null;
  const { launcher_id: launcherId, username } = row;
  if (launcherId === null || username === null) return { ...row, launcher: null };
  const held = await rightsOn(db, row, launcherId);
  return { ...row, launcher: { id: launcherId, username, ...held } };
}

function findLaunched(db: Db, taskId: number) {
  const launcherId = sql<number>`coalesce(tasks.user_id, workflow_runs.requested_by,
    workflow_runs.user_id, schedules.changed_by, integrations.changed_by)`;
  return db
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
    .select(['tasks.id', 'tasks.project_id', 'tasks.lease', 'tasks.template_id'])
    .select(['tasks.user_id', 'tasks.workflow_run_id'])
    .select(['users.id as launcher_id', 'users.username', 'users.admin'])
    .select(['members.role', 'roles.rights'])
    .select([anyRestriction('tasks.project_id'), anyGrant('tasks.project_id', sql.ref('users.id'))])
    .where('tasks.id', '=', taskId)
    .where(launcherId, 'is not', null)
    .modifyEnd(prepared('find_launched_task'))
    .executeTakeFirst();
}

type Launched = NonNullable<Awaited<ReturnType<typeof findLaunched>>>;

/** Grants and restrictions are read only where there are any that may count. */
async function rightsOn(
  db: Db,
  row: Launched,
  userId: number,
): Promise<Pick<Launcher, 'rights' | 'objects'>> {
  if (row.admin) return { rights: allRights, objects: null };
  const ofRole = rightsOf(row);
  if (row.grant === null && (row.restriction === null || isExempt(ofRole))) {
    return { rights: ofRole, objects: null };
  }
  const { project_id: projectId, template_id: templateId } = row;
  const objects = await loadObjectRights(db, { projectId, userId, ofRole, templateId });
  return { rights: objects.on(await launchedObject(db, row)), objects };
}

/** The template, or the workflow that somebody has launched, in whose run others may be nested. */
async function launchedObject(
  db: Db,
  { template_id: templateId, workflow_run_id: runId }: Launched,
): Promise<ObjectRef> {
  let object: ObjectRef = { type: 'template', id: templateId };
  for (let next = runId; next !== null;) {
    const run = await db
      .selectFrom('workflow_runs')
      .select(['workflow_id', 'parent_run_id'])
      .where('id', '=', next)
      .executeTakeFirstOrThrow();
    object = { type: 'workflow', id: run.workflow_id };
    next = run.parent_run_id;
  }
  return object;
}

/** The task waits for a confirmation of somebody else than this user; one that plans first, for that of its plan. */
export async function askSecondPerson(
  db: Db,
  id: number,
  launcher: LauncherRef,
  plans: TaskSnapshot | null = null,
): Promise<void> {
  const snapshot = plans && { ...plans, autoApprove: false };
  const { id: not_confirmed_by, username: user } = launcher;
  const reason: ConfirmationReason = { code: 'confirmation.second_person', params: { user } };
  await db
    .updateTable('tasks')
    .set({
      not_confirmed_by,
      ...fromPlain({ confirmation_reason: 'json' }, { confirmation_reason: reason }),
      ...(snapshot && { auto_approve: 0, ...fromPlain({ snapshot: 'json' }, { snapshot }) }),
    })
    .where('id', '=', id)
    .execute();
}
