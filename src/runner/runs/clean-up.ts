// Removes what a run leaves: its processes, its files, and other files of its user.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import { takeKeptBack } from '../apps/kept-folders.ts';
import type { RunContext } from '../api/runner-api.ts';
import { endRun } from '../supervisor/supervisor.ts';
import { keepPins } from '../workspace/pins.ts';
import { releaseUser, sweepUser } from '../workspace/run-users.ts';
import { findWorkspace, type Workspace } from '../workspace/workspace.ts';
import { setLeftStatesAside } from './left-states.ts';

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
