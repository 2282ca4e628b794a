import type { Db } from '../../db/open.ts';
import { toPlain } from '../../db/plain-row.ts';

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
