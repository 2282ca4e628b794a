// Reads the newest tasks of templates and schedules, for their lists.

import type { Template } from '#shared/api/templates.ts';
import type { Context } from '../../../context/context.ts';
import type { PlainTemplate } from '../../templates/templates.ts';
import { listLastTasks } from '../rows/shown-tasks.store.ts';
import { listUnfinished } from '../rows/tasks.store.ts';

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
