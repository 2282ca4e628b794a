import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { record } from '../../../events/events.ts';
import { fail } from '../../../lib/errors.ts';
import { deleteFinishedRun } from './runs.store.ts';
import { requireRunRow } from './get-runs.ts';

/** The tasks of the run stay. */
export async function removeRun(
  ctx: Context,
  { projectId, runId }: { projectId: number; runId: number },
): Promise<void> {
  const { name } = await requireRunRow(ctx, projectId, runId);
  await inTransaction(ctx, async (inner) => {
    if (!(await deleteFinishedRun(inner.db, projectId, runId))) {
      throw fail('workflow_run.unfinished');
    }
    await record(inner, {
      code: 'workflow_run.deleted',
      projectId,
      object: { type: 'workflow_run', id: runId, name },
      params: { run: runId },
    });
    inner.hub.publish('resource.changed', { projectId, noun: 'workflowRuns' });
    inner.hub.publish('resource.changed', { projectId, noun: 'workflows' });
  });
}
