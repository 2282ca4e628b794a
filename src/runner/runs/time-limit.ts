// The time limit of a task.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import type { TaskControl } from './control.ts';

interface Limited {
  ctx: Pick<RunContext, 'clock'>;
  task: RunnerTask;
  control: Pick<TaskControl, 'stop'>;
}

/** Stops the run at its time limit, which counts from the start of the task, also by an earlier runner. */
function limitTime({ ctx, task, control }: Limited): NodeJS.Timeout | undefined {
  const { timeoutS } = task.snapshot;
  if (!timeoutS) return undefined;
  const begun = task.start ? Date.parse(task.start) : ctx.clock.now().getTime();
  const left = begun + timeoutS * 1000 - ctx.clock.now().getTime();
  return setTimeout(() => control.stop('timeout', false), Math.max(0, left));
}

/** Does the work of a run, and stops the run when its time is over. */
export async function withinTimeLimit<T>(run: Limited, work: () => Promise<T>): Promise<T> {
  const limit = limitTime(run);
  try {
    return await work();
  } finally {
    clearTimeout(limit);
  }
}
