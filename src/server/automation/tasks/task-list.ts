// The lists of tasks: a page, and where the next one begins.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { requireTemplate } from '../templates/templates.ts';
import { withReasons } from './waiting-reasons.ts';
import { findReach, listTasks, type TaskFilter } from './shown-tasks.store.ts';

/** What is asked for; the limit may be left out. */
export type TaskQuery = Omit<TaskFilter, 'limit'> & { limit?: number | undefined };

// What a list without a limit answers.
const most = 400;
// At how many tasks a search looks at once: then it answers what it has found, and where to go on.
const reach = 50_000;

export async function seeTasks(ctx: Context, query: TaskQuery): Promise<Page<Task>> {
  const { limit = most } = query;
  const from = query.q ? await findReach(ctx.db, query, reach) : null;
  const read = (count: number) => listTasks(ctx.db, { ...query, limit: count }, from);
  const page = await readPage(limit, read, from);
  return { ...page, items: await withReasons(ctx, page.items) };
}

export async function listTemplateTasks(
  ctx: Context,
  templateId: number,
  query: TaskQuery,
): Promise<Page<Task>> {
  await requireTemplate(ctx, query.projectId, templateId);
  return seeTasks(ctx, { ...query, templateId });
}
