// Removes what a run leaves: its processes, its files, and what its user has left elsewhere.

import type { RunnerTask } from '#shared/api/runner-desk.ts';
import { takeKeptBack } from '../apps/kept-folders.ts';
import type { RunContext } from '../desk/desk.ts';
import { endRun } from '../supervisor/supervisor.ts';
import { keepPins } from '../workspace/pins.ts';
import { releaseUser, sweepUser } from '../workspace/run-users.ts';
import { findWorkspace } from '../workspace/workspace.ts';

/** Ends all processes of the run and removes its files. */
export async function cleanUp(ctx: RunContext, task: RunnerTask): Promise<void> {
  const workspace = await findWorkspace(ctx.config, task.id);
  if (!workspace) return;
  const { dir, mark, user, isAlone } = workspace;
  try {
    await endRun(dir, mark);
    await keepPins(ctx.config, task.project_id, dir);
    await workspace.remove();
    if (user && isAlone) {
      await takeKeptBack(ctx.config, task, user);
      await sweepUser(user);
    }
  } finally {
    if (isAlone) releaseUser(ctx.config, user);
  }
}
