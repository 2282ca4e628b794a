// Records the progress of a task, and estimates how long it will take.

import type { Task, TaskProgress } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import type { Db } from '../../../db/open.ts';
import { listDurations, markDryRun, updateProgress } from './progress.store.ts';

/** The estimate uses so many earlier tasks. */
const MAX_TASKS_READ = 10;

/** The seconds that a task of the template usually takes, or a dry run; null: none has succeeded yet. */
export async function expectedSeconds(
  db: Db,
  templateId: number,
  isDryRun: boolean,
): Promise<number | null> {
  const durations = await listDurations(db, { templateId, isDryRun, limit: MAX_TASKS_READ });
  const sorted = durations.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined ? null : Math.max(1, Math.round(middle / 1000));
}

/** Stores the progress that a program reports. */
export async function recordProgress(
  ctx: Context,
  task: Pick<Task, 'id' | 'project_id'> & { lease: number },
  progress: TaskProgress,
  isDryRun: boolean,
): Promise<void> {
  await updateProgress(ctx.db, task, progress);
  // Its arguments may ask for it, which only the program understands.
  if (isDryRun) await markDryRun(ctx.db, task);
  ctx.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
}
