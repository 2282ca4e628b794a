// Lists tasks by page.

import type { Task, TaskCount } from '#shared/api/tasks.ts';
import type { Context } from '../../../context/context.ts';
import { readPage, type Page } from '../../../lib/page.ts';
import { requireTemplate, type PlainTemplate } from '../../templates/templates.ts';
import { withReasons } from '../queue/waiting-reasons.ts';
import {
  countTasks,
  findReach,
  listTasks,
  type TaskFilter,
  listLastTasks,
} from '../rows/shown-tasks.store.ts';
import type { Template } from '#shared/api/templates.ts';
import { listUnfinished } from '../rows/tasks.store.ts';

export type TaskQuery = Omit<TaskFilter, 'limit'> & { limit?: number | undefined };

const DEFAULT_LIMIT = 400;
// A search returns what it has found among this number of tasks, and where to continue.
const MAX_SEARCHED = 50_000;
const MAX_COUNTED = 100_000;

export async function getTasks(ctx: Context, query: TaskQuery): Promise<Page<Task>> {
  const { limit = DEFAULT_LIMIT } = query;
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

/** The task at which a search ends; null without a search text, or with few tasks. */
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

export { hasWaiting } from '../queue/queue.store.ts';

/** The templates of a project with the newest task of each. */
async function withLast<T extends PlainTemplate>(
  ctx: Context,
  projectId: number,
  list: T[],
): Promise<(T & Template)[]> {
  const ids = list.map(({ id }) => id);
  const tasks = await listLastTasks(ctx.db, projectId, ids);
  const last = new Map(tasks.map((task) => [task.template_id, task]));
  return list.map((template) => {
    const task = last.get(template.id) ?? null;
    return { ...template, last_task: task, last_task_id: task && task.id };
  });
}

export const tasksOfTemplates = {
  withLast,
  listUnfinished: (ctx: Context, projectId: number, templateId: number): Promise<number[]> =>
    listUnfinished(ctx.db, projectId, templateId),
};
