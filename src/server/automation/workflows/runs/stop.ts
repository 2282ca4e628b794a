// Stops runs: no further node begins, and active nodes end.

import type { Context } from '../../../context/context.ts';
import { inTransaction } from '../../../context/transaction.ts';
import { AppError, fail } from '../../../lib/errors.ts';
import { stopTask } from '../../tasks/stop-task.ts';
import { isRunFinished } from '#shared/workflows/run-status.ts';
import { applyRunEvent } from './advance.ts';
import { recordRun } from './create-run.ts';
import { insertDecision, listNodes } from './nodes.store.ts';
import { findRun, listUnfinished, lockRun, updateRun, deleteFinishedRun } from './runs.store.ts';
import { requireRunRow } from './get-runs.ts';

interface RunRef {
  projectId: number;
  runId: number;
}

/** Stops a run with all its tasks, and with the runs of its workflows. */
export async function stopRun(
  ctx: Context,
  { projectId, runId }: RunRef,
  force: boolean,
): Promise<void> {
  const known = await requireRunRow(ctx, projectId, runId);
  await inTransaction(ctx, async (inner) => {
    const run = await lockRun(inner.db, runId);
    if (!run || isRunFinished(run.status)) return;
    if (force) await updateRun(inner.db, runId, { status: run.status, force_stop: true });
    const { username: user } = inner.by;
    const time = inner.clock.now().toISOString();
    await insertDecision(inner.db, runId, { time, code: 'decision.stopping', params: { user } });
    await recordRun(inner, 'stopped', known);
    await applyRunEvent(inner, runId, { type: 'stopped' });
  });
  // Outside that transaction, to avoid a deadlock with a task that ends meanwhile and locks the run.
  await endActive(ctx, { projectId, runId });
}

/** For an installation that was restored for a drill. */
export async function stopAllRuns(ctx: Context): Promise<void> {
  for (const { id, project_id: projectId } of await listUnfinished(ctx.db)) {
    await stopRun(ctx, { projectId, runId: id }, true);
  }
}

/** Stops the active tasks and nested runs of a stopping run. */
export async function endActive(ctx: Context, { projectId, runId }: RunRef): Promise<void> {
  const run = await findRun(ctx.db, projectId, runId);
  if (run?.status !== 'stopping') return;
  for (const node of await listNodes(ctx.db, [runId])) {
    if (node.state !== 'active') continue;
    try {
      if (node.task_id !== null) await stopTask(ctx, projectId, node.task_id, run.force_stop);
      if (node.child_run_id !== null) await stopNested(ctx, run, node.child_run_id);
    } catch (error) {
      // The task or run has been deleted meanwhile.
      if (!(error instanceof AppError)) throw error;
    }
  }
}

async function stopNested(
  ctx: Context,
  parent: { id: number; project_id: number; force_stop: boolean },
  runId: number,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const run = await lockRun(inner.db, runId);
    if (run?.status !== 'running') return;
    const time = inner.clock.now().toISOString();
    const params = { run: parent.id };
    await insertDecision(inner.db, runId, { time, code: 'decision.stopping_with_run', params });
    await updateRun(inner.db, runId, { status: 'running', force_stop: parent.force_stop });
    await applyRunEvent(inner, runId, { type: 'stopped' });
  });
  await endActive(ctx, { projectId: parent.project_id, runId });
}

/** The tasks of the run stay. */
export async function removeRun(
  ctx: Context,
  { projectId, runId }: { projectId: number; runId: number },
): Promise<void> {
  const known = await requireRunRow(ctx, projectId, runId);
  await inTransaction(ctx, async (inner) => {
    if (!(await deleteFinishedRun(inner.db, projectId, runId))) {
      throw fail('workflow_run.unfinished');
    }
    await recordRun(inner, 'deleted', known);
    inner.hub.publish('resource.changed', { projectId, noun: 'workflowRuns' });
    inner.hub.publish('resource.changed', { projectId, noun: 'workflows' });
  });
}
