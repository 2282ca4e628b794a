// Parks a task between two of its commands: its files belong to the runner meanwhile.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';
import { takeKeptBack } from '../apps/kept-folders.ts';
import type { RunContext } from '../api/runner-api.ts';
import { endRun } from '../supervisor/supervisor.ts';
import { releaseUser } from '../workspace/run-users.ts';
import { findWorkspace } from '../workspace/workspace.ts';

/** False: a stop was requested. */
export async function parkTask(
  ctx: RunContext,
  task: RunnerTask,
  why: ConfirmationReason | null,
): Promise<boolean> {
  const workspace = await findWorkspace(ctx.config, task.id);
  const user = workspace?.user;
  if (workspace && user) {
    await endRun(workspace.dir, workspace.mark);
    if (workspace.isAlone) await takeKeptBack(ctx.config, task, user);
    await workspace.give(null);
    releaseUser(ctx.config, user);
  }
  return ctx.runnerApi.park(task, why);
}
