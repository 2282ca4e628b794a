// Lists tasks by page, with the start of the next page.

import type { Task, TaskCount } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import { readPage, type Page } from '../../../lib/page.ts';
import { requireTemplate } from '../../templates/templates.ts';
import { withReasons } from '../queue/waiting-reasons.ts';
import { countTasks, findReach, listTasks, type TaskFilter } from '../rows/shown-tasks.store.ts';

/** The query of a list; the limit may be missing. */
export type TaskQuery = Omit<TaskFilter, 'limit'> & { limit?: number | undefined };

// The limit of a list whose query has none.
const usualLimit = 400;
// A search reads so many tasks at once; then it answers what it has found, and where to go on.
const MAX_SEARCHED = 50_000;
const MAX_COUNTED = 100_000;

export async function getTasks(ctx: Context, query: TaskQuery): Promise<Page<Task>> {
  const { limit = usualLimit } = query;
  const oldest = await oldestSearched(ctx, query);
  const read = (count: number) => listTasks(ctx.db, { ...query, limit: count }, oldest);
  const page = await readPage(limit, read, oldest);
  return { ...page, items: await withReasons(ctx, page.items) };
}

export async function countMatches(ctx: Context, query: TaskQuery): Promise<TaskCount> {
  const oldest = await oldestSearched(ctx, query);
  const count = await countTasks(ctx.db, { ...query, limit: MAX_COUNTED }, oldest);
  return { count, is_whole: oldest === null && count < MAX_COUNTED };
}

/** The task at which a search ends; null if there is no text to search for, or few tasks. */
const oldestSearched = async (ctx: Context, query: TaskQuery): Promise<number | null> =>
  query.q ? findReach(ctx.db, query, MAX_SEARCHED) : null;

export async function listTemplateTasks(
  ctx: Context,
  templateId: number,
  query: TaskQuery,
): Promise<Page<Task>> {
  await requireTemplate(ctx, query.projectId, templateId);
  return getTasks(ctx, { ...query, templateId });
}
