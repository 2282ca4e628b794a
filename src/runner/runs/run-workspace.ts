// The workspace of a run: of an earlier runner, or a new one, with the supervisor of the first step.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import { releaseUser, takeUser } from '../workspace/run-users.ts';
import { findWorkspace, makeWorkspace, type Workspace } from '../workspace/workspace.ts';
import type { TaskControl } from './control.ts';
import type { Supervisors } from './supervisors.ts';

interface PlacedRun {
  ctx: Pick<RunContext, 'config'>;
  task: Pick<RunnerTask, 'id' | 'snapshot'>;
  control: Pick<TaskControl, 'signal'>;
  supervisors: Supervisors;
}

export interface RunWorkspace {
  workspace: Workspace;
  /** Whether an earlier runner, or this one before a confirmation, has made it. */
  isLeft: boolean;
}

export async function findPlace(run: PlacedRun): Promise<RunWorkspace> {
  const left = await findWorkspace(run.ctx.config, run.task.id);
  return left ? { workspace: left, isLeft: true } : makePlace(run);
}

/** Waits for a free user if programs have users of their own. Throws when the run is stopped. */
export async function makePlace({
  ctx,
  task,
  control,
  supervisors,
}: PlacedRun): Promise<RunWorkspace> {
  control.signal.throwIfAborted();
  const user = await takeUser(ctx.config, control.signal);
  const workspace = await makeWorkspace(ctx.config, task.id, user).catch((error: unknown) => {
    releaseUser(ctx.config, user);
    throw error;
  });
  // That of a container starts when its image is there.
  const kind = task.snapshot.executionEnvironment?.kind ?? 'server';
  if (kind === 'server' || kind === 'tools') supervisors.startFirst(workspace);
  return { workspace, isLeft: false };
}
