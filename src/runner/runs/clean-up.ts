// Removes what a run leaves: its processes, its files, and other files of its user.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import { takeKeptBack } from '../apps/kept-folders.ts';
import type { RunContext } from '../api/runner-api.ts';
import { endRun } from '../supervisor/supervisor.ts';
import { keepPins } from '../workspace/pins.ts';
import { releaseUser, sweepUser } from '../workspace/run-users.ts';
import { findWorkspace, type Workspace } from '../workspace/workspace.ts';
import { setLeftStatesAside } from './left-states.ts';
import type { ConfirmationReason } from '#shared/catalogue/confirmation-reasons.ts';

export async function cleanUp(ctx: RunContext, task: RunnerTask): Promise<void> {
  const workspace = await findWorkspace(ctx.config, task.id);
  if (!workspace) return;
  const { dir, mark, user, isAlone } = workspace;
  try {
    await endRun(dir, mark);
    await keepPins(ctx.config, task.project_id, dir);
    await removeFiles(ctx, workspace);
    if (user && isAlone) {
      await takeKeptBack(ctx.config, task, user);
      await sweepUser(user);
    }
  } finally {
    if (isAlone) releaseUser(ctx.config, user);
  }
}

/** Removes the files of a run without programs, after setting aside states of Terraform. */
export async function removeFiles(
  { config, log }: Pick<RunContext, 'config' | 'log'>,
  workspace: Workspace,
): Promise<void> {
  const folder = await setLeftStatesAside(config, workspace);
  if (folder !== null) log.warn({ folder }, 'run left a Terraform state behind; state set aside');
  await workspace.remove();
}

// Parks a task between two of its commands: its files belong to the runner meanwhile.

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
