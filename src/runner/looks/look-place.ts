// Where a look works: a private folder that is made for it and goes with it.

import type { RunnerConfig } from '../system/config.ts';
import { lookUser } from '../workspace/run-users.ts';
import { makeWorkspace, type Workspace } from '../workspace/workspace.ts';

export interface LookPlace {
  config: RunnerConfig;
  workspace: Workspace;
  /** Whatever is started ends with it. */
  signal: AbortSignal;
}

// The folder is that of no task: what a crash leaves of it is removed at the next start.
const noTask = 0;

export async function inLookPlace<T>(
  config: RunnerConfig,
  signal: AbortSignal,
  work: (place: LookPlace) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const workspace = await makeWorkspace(config, noTask, lookUser(config));
  try {
    return await work({ config, workspace, signal });
  } finally {
    await workspace.remove();
  }
}
