// Launches deploys after their build.

import { newTask, type Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { AppError } from '../../lib/errors.ts';
import { listAutorun } from '../templates/templates.ts';
import { startTask } from './start-task.ts';

/** Launches the deploys that follow a successful build automatically. */
export async function startDeploys(ctx: Context, task: Task): Promise<void> {
  if (task.status !== 'success' || task.dry_run) return;
  const { id, project_id: projectId } = task;
  for (const templateId of await listAutorun(ctx.db, projectId, task.template_id)) {
    const launch = newTask.parse({ template_id: templateId, build_task_id: id });
    try {
      await startTask(ctx, projectId, launch);
    } catch (error) {
      // A deploy that needs answers cannot start by itself; the build is none the worse.
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error, templateId }, 'automatic deploy failed to start');
    }
  }
}
