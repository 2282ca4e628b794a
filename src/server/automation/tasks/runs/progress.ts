// Records the progress of a task, and estimates its duration.

import type { Task, TaskProgress } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import type { Db } from '../../../db/open.ts';
import { listDurations, markDryRun } from './progress.store.ts';
import { updateRunReport } from '../rows/tasks.store.ts';

/** The number of runs of which a median is computed. */
export const MAX_TASKS_READ = 10;

/** The median duration of the last successful tasks, or dry runs, in seconds; null: there are none. */
export async function expectedSeconds(
  db: Db,
  templateId: number,
  isDryRun: boolean,
): Promise<number | null> {
  return medianSeconds(await listDurations(db, { templateId, isDryRun, limit: MAX_TASKS_READ }));
}

/** The lower median of durations in milliseconds, in whole seconds; null for an empty list. */
export function medianSeconds(durations: number[]): number | null {
  const sorted = durations.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined ? null : Math.max(1, Math.round(middle / 1000));
}

export async function recordProgress(
  ctx: Context,
  task: Pick<Task, 'id' | 'project_id'> & { lease: number },
  progress: TaskProgress,
  isDryRun: boolean,
): Promise<void> {
  await updateRunReport(ctx.db, task, { progress });
  // Arguments may request a dry run, and only the program can parse them.
  if (isDryRun) await markDryRun(ctx.db, task);
  ctx.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
}
