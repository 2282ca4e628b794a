// Whoever has launched a task, or made what launches it, has to have the right when it begins, too.

import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { allRights, type Right } from '#shared/rights.ts';
import type { Context } from '../../../context/context.ts';
import type { Db } from '../../../db/open.ts';
import { prepared } from '../../../db/prepared.ts';
import { rightsOf } from '../../../db/role-rights.ts';
import { addWords } from '../log/append-lines.ts';
import { endTask } from '../move-task.ts';
import { listWaitingOf } from '../runs/run.store.ts';

/**
 * Who answers for a task: who has launched it, or has changed its schedule or integration last. Null: nobody that is
 * known. It was made before that was recorded.
 */
function findLauncher(db: Db, taskId: number) {
  return db
    .selectFrom('tasks')
    .leftJoin('schedules', 'schedules.id', 'tasks.schedule_id')
    .leftJoin('integrations', 'integrations.id', 'tasks.integration_id')
    .leftJoin('workflow_runs', 'workflow_runs.id', 'tasks.workflow_run_id')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
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

type Launched = NonNullable<Awaited<ReturnType<typeof findLauncher>>>;

/** One of these is enough. */
function rightsToLaunch({ user_id: userId, workflow_run_id: runId }: Launched): Right[] {
  if (runId !== null) return ['workflow.run', 'task.restart'];
  return userId === null ? ['template.run'] : ['template.run', 'task.restart'];
}

async function findHolder(db: Db, projectId: number, userId: number) {
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
  return row && { username: row.username, rights: row.admin ? allRights : rightsOf(row) };
}

/** Ends a waiting task whose launcher may launch it no longer; returns whether it did. */
export async function endWithoutRight(ctx: Context, taskId: number): Promise<boolean> {
  const task = await findLauncher(ctx.db, taskId);
  if (!task || task.launcher === null) return false;
  const holder = await findHolder(ctx.db, task.project_id, task.launcher);
  const needed = rightsToLaunch(task);
  if (holder && needed.some((right) => holder.rights.has(right))) return false;
  const failure: Failure = holder
    ? { code: 'failure.launcher_right', params: { user: holder.username } }
    : launcherGone;
  await addWords(ctx, task, [taskFailures.message(failure)]);
  return endTask(ctx, task, 'error', { from: ['waiting'], failure });
}

const launcherGone: Failure = { code: 'failure.launcher_gone', params: {} };

/** Before a user is deleted: nothing of theirs begins any more. Runs in the caller's transaction. */
export async function endWaitingOf(ctx: Context, userId: number): Promise<void> {
  for (const task of await listWaitingOf(ctx.db, userId)) {
    await endTask(ctx, task, 'error', { from: ['waiting'], failure: launcherGone });
  }
}
