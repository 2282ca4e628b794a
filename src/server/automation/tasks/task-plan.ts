// The plan of a Terraform task.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunPlan, TaskPlan } from '#shared/api/task-plan.ts';
import type { Context } from '../../context/context.ts';
import { findPlan, upsertPlan } from './results/task-plans.store.ts';
import { requireTask } from './tasks.ts';

export async function recordPlan(
  ctx: Context,
  task: Pick<RunnerTask, 'id' | 'project_id' | 'lease'>,
  plan: RunPlan,
): Promise<void> {
  await upsertPlan(ctx.db, task, plan);
  ctx.hub.publish('task.changed', { projectId: task.project_id, taskId: task.id });
}

export async function getPlan(
  ctx: Context,
  { projectId, taskId }: { projectId: number; taskId: number },
): Promise<TaskPlan> {
  const { id } = await requireTask(ctx, projectId, taskId);
  return findPlan(ctx.db, id);
}
