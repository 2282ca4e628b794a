// The follow-ups of the end of a task, in this order.

import { newTask, type Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { AppError } from '../../lib/errors.ts';
import { setFollowUps } from '../tasks/ends/follow-ups.ts';
import { alertEnd, recordEnd } from '../tasks/ends/record-end.ts';
import { retryFailed } from '../tasks/runs/retry.ts';
import { startTask } from '../tasks/start-task.ts';
import { listAutorun } from '../templates/templates.ts';
import { afterTask, followAttempt } from './runs/node-ends.ts';

/** Registers the follow-ups of this server; required before a task can end. */
export function connectTaskEnds({ db }: Context): void {
  setFollowUps(db, [
    { name: 'record', work: recordEnd },
    { name: 'alerts', work: alertEnd },
    { name: 'next', work: continueAfter },
    // After the run of the workflow, to lock rows in the same order as other transactions.
    { name: 'deploys', work: startDeploys },
  ]);
}

/** Launches the next attempt of a failed task, or the next nodes of its workflow. */
async function continueAfter(ctx: Context, ended: Task): Promise<void> {
  const nextId = await retryFailed(ctx, ended);
  await (nextId === null ? afterTask(ctx, ended) : followAttempt(ctx, ended, nextId));
}

/** Launches the automatic deploys of a successful build. */
async function startDeploys(ctx: Context, task: Task): Promise<void> {
  if (task.status !== 'success' || task.dry_run) return;
  const { id, project_id: projectId } = task;
  for (const templateId of await listAutorun(ctx.db, projectId, task.template_id)) {
    const launch = newTask.parse({ template_id: templateId, build_task_id: id });
    try {
      await startTask(ctx, projectId, launch);
    } catch (error) {
      // A refused deploy, for example one that needs answers, does not affect the build.
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error, templateId }, 'automatic deploy failed to start');
    }
  }
}
