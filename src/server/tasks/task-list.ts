// The lists of tasks: a page, and where the next one begins.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../context.ts';
import { requireTemplate } from '../templates/templates.ts';
import { withReasons } from './claim.ts';
import { findReach, listTasks, type TaskFilter } from './shown-tasks.store.ts';

export interface TaskPage {
  tasks: Task[];
  /** The task that the next page starts after; null: there are no more. */
  next: number | null;
}

/** What is asked for; the limit may be left out. */
export type TaskQuery = Omit<TaskFilter, 'limit'> & { limit?: number | undefined };

// What a list without a limit answers.
const most = 400;
// At how many tasks a search looks at once: then it answers what it has found, and where to go on.
const reach = 50_000;

export async function seeTasks(ctx: Context, query: TaskQuery): Promise<TaskPage> {
  const { limit = most } = query;
  const from = query.q ? await findReach(ctx.db, query, reach) : null;
  // One more than is shown tells whether there are more.
  const found = await listTasks(ctx.db, { ...query, limit: limit + 1 }, from);
  const shown = found.slice(0, limit);
  const last = shown.length < found.length ? shown.at(-1)?.id : from;
  return { tasks: await withReasons(ctx, shown), next: last ?? null };
}

export async function listTemplateTasks(
  ctx: Context,
  templateId: number,
  query: TaskQuery,
): Promise<TaskPage> {
  await requireTemplate(ctx, query.projectId, templateId);
  return seeTasks(ctx, { ...query, templateId });
}
