// Lists tasks by page, with the start of the next page.

import type { Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { requireTemplate } from '../templates/templates.ts';
import { withReasons } from './waiting-reasons.ts';
import { findReach, listTasks, type TaskFilter } from './shown-tasks.store.ts';

/** The query of a list; the limit may be missing. */
export type TaskQuery = Omit<TaskFilter, 'limit'> & { limit?: number | undefined };

// The limit of a list whose query has none.
const usualLimit = 400;
// A search reads so many tasks at once; then it answers what it has found, and where to go on.
const mostSearched = 50_000;

export async function seeTasks(ctx: Context, query: TaskQuery): Promise<Page<Task>> {
  const { limit = usualLimit } = query;
  const from = query.q ? await findReach(ctx.db, query, mostSearched) : null;
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
