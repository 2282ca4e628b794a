// The lists of tasks: a page, and where the next one begins.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../context.ts';
import { requireTemplate } from '../templates/templates.ts';
import { withReasons } from './claim.ts';
import { listTasks, type TaskFilter } from './tasks.store.ts';

export interface TaskPage {
  tasks: Task[];
  /** The task that the next page starts after; null: there are no more. */
  next: number | null;
}

export async function seeTasks(ctx: Context, filter: TaskFilter): Promise<TaskPage> {
  const { limit = Infinity } = filter;
  // One more than is shown tells whether there are more.
  const more = limit === Infinity ? {} : { limit: limit + 1 };
  const found = await listTasks(ctx.db, { ...filter, ...more });
  const shown = found.slice(0, limit);
  const last = shown.length < found.length ? shown.at(-1) : undefined;
  return { tasks: await withReasons(ctx, shown), next: last?.id ?? null };
}

export async function listTemplateTasks(
  ctx: Context,
  templateId: number,
  filter: TaskFilter,
): Promise<TaskPage> {
  await requireTemplate(ctx, filter.projectId, templateId);
  return seeTasks(ctx, { ...filter, templateId });
}
