import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import type { Failure } from '#shared/catalogue/task-failures.ts';
import type { Db } from '../../db/open.ts';
import { toPlain } from '../../db/plain-row.ts';
import { prepared } from '../../db/prepared.ts';

/** Whether the project has any recipient: members, a chat, a channel or a commit status host. */
export async function hasRecipients(db: Db, taskId: number): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .select('tasks.id')
    .where('tasks.id', '=', taskId)
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('projects.alert', '=', 1),
        exists(
          selectFrom('alert_channels')
            .select('id')
            .whereRef('project_id', '=', 'projects.id')
            .where('active', '=', 1),
        ),
        exists(
          selectFrom('repositories')
            .select('id')
            .whereRef('project_id', '=', 'projects.id')
            .where('status_host', '!=', ''),
        ),
      ]),
    )
    .modifyEnd(prepared('has_recipients'))
    .executeTakeFirst();
  return row !== undefined;
}

type SubjectJson = {
  failure: Failure | null;
  snapshot: Pick<TaskSnapshot, 'incomingVersion' | 'repository' | 'username'>;
};

export async function findSubject(db: Db, taskId: number) {
  const row = await db
    .selectFrom('tasks')
    .innerJoin('templates', 'templates.id', 'tasks.template_id')
    .innerJoin('projects', 'projects.id', 'tasks.project_id')
    .leftJoin('users', 'users.id', 'tasks.user_id')
    .select([
      'tasks.id',
      'tasks.status',
      'tasks.message',
      'tasks.version',
      'tasks.dry_run as isDryRun',
      'tasks.start',
      'tasks.end',
      'tasks.failure',
      'tasks.snapshot',
      'tasks.commit_hash as commitHash',
      'users.name as userName',
      'templates.id as templateId',
      'templates.name as templateName',
      'templates.suppress_success_alerts as isSuccessSilent',
      'projects.id as projectId',
      'projects.name as projectName',
      'projects.alert as alertsMembers',
      'projects.alert_chat as chat',
    ])
    .where('tasks.id', '=', taskId)
    .executeTakeFirst();
  const flags = { isSuccessSilent: 'flag', alertsMembers: 'flag', isDryRun: 'flag' } as const;
  const json = { failure: 'json', snapshot: 'json' } as const;
  return row ? toPlain<typeof row, SubjectJson>({ ...flags, ...json }, row) : null;
}
export type Subject = NonNullable<Awaited<ReturnType<typeof findSubject>>>;

/** Null when there is no such repository. */
export async function findStatusTarget(db: Db, projectId: number, id: number) {
  const row = await db
    .selectFrom('repositories')
    .select(['git_url as url', 'status_host as host', 'status_key_id as keyId'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the previous run failed in its last attempt, without dry runs and incomplete successes. */
export async function isAfterFailure(db: Db, templateId: number, taskId: number): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('status')
    .where('template_id', '=', templateId)
    .where('id', '!=', taskId)
    .where('dry_run', '=', 0)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'success'), eb('failure', 'is', null)]),
        eb.and([eb('status', '=', 'error'), eb('attempt', '>=', eb.ref('attempts'))]),
      ]),
    )
    .orderBy('end', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.status === 'error';
}

export async function findRunSubject(db: Db, runId: number) {
  const row = await db
    .selectFrom('workflow_runs')
    .innerJoin('projects', 'projects.id', 'workflow_runs.project_id')
    .leftJoin('users', 'users.id', 'workflow_runs.user_id')
    .select([
      'workflow_runs.id',
      'workflow_runs.name',
      'workflow_runs.status',
      'workflow_runs.message',
      'workflow_runs.created',
      'workflow_runs.end',
      'workflow_runs.username',
      'workflow_runs.workflow_id as workflowId',
      'workflow_runs.parent_run_id as parentRunId',
      'users.name as userName',
      'projects.id as projectId',
      'projects.name as projectName',
      'projects.alert as alertsMembers',
      'projects.alert_chat as chat',
    ])
    .where('workflow_runs.id', '=', runId)
    .executeTakeFirst();
  return row ? toPlain<typeof row>({ alertsMembers: 'flag' }, row) : null;
}
export type RunSubject = NonNullable<Awaited<ReturnType<typeof findRunSubject>>>;

/** Whether the previous top-level run of the workflow failed. */
export async function isRunAfterFailure(
  db: Db,
  { id, workflowId }: Pick<RunSubject, 'id' | 'workflowId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('workflow_runs')
    .select('status')
    .where('workflow_id', '=', workflowId)
    .where('id', '!=', id)
    .where('parent_run_id', 'is', null)
    .where('status', 'in', ['success', 'error'])
    .orderBy('end', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.status === 'error';
}
