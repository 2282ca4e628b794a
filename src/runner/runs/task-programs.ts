// Where the tasks of a runner run: on its machine, or in the pods of a cluster.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import { describeEngine } from '../containers/engine.ts';
import { stopRun } from '../supervisor/supervisor.ts';
import { reserveUser } from '../workspace/run-users.ts';
import { findStrayWorkspaces, findWorkspace, type Workspace } from '../workspace/workspace.ts';
import { allSettledOrThrow } from '../../node/async/all-settled-or-throw.ts';
import { removeFiles } from './clean-up.ts';
import type { TaskControl } from './control.ts';
import { runTask } from './run-task.ts';

export interface TaskPrograms {
  /** Settles when the task has ended, is parked, or was left to the next runner. */
  run: (ctx: RunContext, task: RunnerTask, control: TaskControl) => Promise<void>;
  /** What runs containers, with its version; empty: nothing. */
  describe: () => Promise<string>;
  /** Removes what tasks besides these have left. Called once, before any task runs. */
  removeStrays: (taskIds: number[]) => Promise<void>;
  /** Removes what a parked task has left that was stopped. */
  removeParked: (taskId: number) => Promise<void>;
  close: () => Promise<void>;
}

/** Tasks run on the machine of the runner. */
export function localPrograms(ctx: RunContext): TaskPrograms {
  const closing = new AbortController();
  /** Removes a run whose task was taken away while no runner followed its program. */
  const removeStray = async (stray: Workspace): Promise<void> => {
    const isOver = await stopRun(stray.dir, stray.mark, closing.signal);
    if (isOver) await removeFiles(ctx, stray);
  };
  return {
    run: runTask,
    describe: () => describeEngine(ctx.config),
    async removeStrays(taskIds) {
      const strays = await findStrayWorkspaces(ctx.config, taskIds);
      await allSettledOrThrow(strays.map(removeStray));
      for (const id of taskIds) {
        const workspace = await findWorkspace(ctx.config, id);
        // Reserved before a new task could get the same user.
        if (workspace?.isAlone) reserveUser(ctx.config, workspace.user);
      }
    },
    async removeParked(taskId) {
      const workspace = await findWorkspace(ctx.config, taskId);
      if (workspace) await removeFiles(ctx, workspace);
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}
