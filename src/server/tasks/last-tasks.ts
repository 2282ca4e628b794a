// The newest task of each template, for the nouns that show it.

import type { Task } from '#shared/api/tasks.ts';
import type { Db } from '../db/open.ts';
import { listLastTasks } from './shown-tasks.store.ts';

export { listUnfinished } from './tasks.store.ts';
export { hasWaiting } from './queue.store.ts';

/** By template id. */
export async function lastTasks(
  db: Db,
  projectId: number,
  templateIds: number[],
): Promise<Map<number, Task>> {
  const tasks = await listLastTasks(db, projectId, templateIds);
  return new Map(tasks.map((task) => [task.template_id, task]));
}
