// What follows from the end of a task, in this order.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { setFollowUps } from '../tasks/ends/follow-ups.ts';
import { alertEnd, recordEnd } from '../tasks/ends/record-end.ts';
import { retryFailed } from '../tasks/runs/retry.ts';
import { startDeploys } from '../tasks/start-deploys.ts';
import { afterTask, followAttempt } from './runs/after-task.ts';

/** Registers what follows from the ends of tasks of this server; without it no task can end. */
export function connectTaskEnds({ hub }: Context): void {
  setFollowUps(hub, [
    { name: 'record', work: recordEnd },
    { name: 'alerts', work: alertEnd },
    { name: 'next', work: continueAfter },
    // After the run of the workflow, whose row others lock before they launch templates too.
    { name: 'deploys', work: startDeploys },
  ]);
}

/** Launches the next attempt of a task that has failed, or nodes of its workflow. */
async function continueAfter(ctx: Context, ended: Task): Promise<void> {
  const nextId = await retryFailed(ctx, ended);
  await (nextId === null ? afterTask(ctx, ended) : followAttempt(ctx, ended, nextId));
}
