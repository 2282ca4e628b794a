import type { Run } from './run.ts';

type Limited = Pick<Run, 'ctx' | 'task' | 'control'>;

/** Executes a run, and stops it at the time limit, which counts from the start of the task, also in an earlier runner. */
export async function withinTimeLimit<T>(
  { ctx, task, control }: Limited,
  work: () => Promise<T>,
): Promise<T> {
  const { timeoutS } = task.snapshot;
  const now = ctx.clock.now().getTime();
  const begun = task.start ? Date.parse(task.start) : now;
  const left = Math.max(0, begun + timeoutS * 1000 - now);
  const timer = timeoutS ? setTimeout(() => control.stop('timeout', false), left) : undefined;
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
