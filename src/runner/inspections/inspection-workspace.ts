import type { RunnerConfig } from '../config/runner-config.ts';
import { lookUser } from '../workspace/run-users.ts';
import { makeWorkspace, type Workspace } from '../workspace/workspace.ts';

export interface InspectionWorkspace {
  config: RunnerConfig;
  workspace: Workspace;
  /** Kills the programs of the inspection. */
  signal: AbortSignal;
}

// No task has this id, so the next start removes the folder if a crash has left it.
const noTask = 0;

export async function inInspectionWorkspace<T>(
  config: RunnerConfig,
  signal: AbortSignal,
  work: (place: InspectionWorkspace) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const workspace = await makeWorkspace(config, noTask, lookUser(config));
  try {
    return await work({ config, workspace, signal });
  } finally {
    await workspace.remove();
  }
}
