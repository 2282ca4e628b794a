// The workspace of a run: of an earlier runner, or a new one, with the supervisor of the first step.

import type { Execution } from '../execution/execution.ts';
import { releaseUser, takeUser } from '../workspace/run-users.ts';
import { findWorkspace, makeWorkspace, type Workspace } from '../workspace/workspace.ts';
import { startKnownContainer } from './open-container.ts';
import type { PlacedRun, RunWorkspace } from './run.ts';

export async function findPlace(run: PlacedRun): Promise<RunWorkspace> {
  const left = await findWorkspace(run.ctx.config, run.task.id);
  return left ? { workspace: left, isLeft: true, execution: null } : makePlace(run);
}

/** Waits for a free user if programs have users of their own. Throws when the run is stopped. */
export async function makePlace(run: PlacedRun): Promise<RunWorkspace> {
  const { ctx, task, control } = run;
  control.signal.throwIfAborted();
  const user = await takeUser(ctx.config, control.signal);
  const workspace = await makeWorkspace(ctx.config, task.id, user).catch((error: unknown) => {
    releaseUser(ctx.config, user);
    throw error;
  });
  return { workspace, isLeft: false, execution: await startFirst(run, workspace) };
}

/** Starts the supervisor of the first step, unless what it needs may not be there yet. */
async function startFirst(run: PlacedRun, workspace: Workspace): Promise<Execution | null> {
  const chosen = run.task.snapshot.executionEnvironment;
  if (!chosen || chosen.kind === 'server' || chosen.kind === 'tools') {
    run.supervisors.startFirst(workspace);
    return null;
  }
  if (chosen.kind !== 'container') return null;
  // The preparation tries again, and handles the error.
  return startKnownContainer(run, workspace, chosen).catch(() => null);
}
