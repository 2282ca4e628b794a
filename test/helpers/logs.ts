// Writes logs that no program has printed, in the way of the runner.

import { tasks, type Task } from '#shared/api/tasks.ts';
import { createLogChunks } from '../../src/server/automation/tasks/log/log-chunks.ts';
import type { TestApp } from './app.ts';
import { seedProject } from './seed.ts';
import { launch, readTask } from './tasks.ts';
import { storeChunks } from './store-chunks.ts';

export const whereOf = ({ project_id, id }: Pick<Task, 'project_id' | 'id'>) => ({
  params: { project_id, task_id: id },
});

/** A waiting task that has this log, line by line. */
export async function taskWithLog(app: TestApp, lines: Iterable<string>): Promise<Task> {
  const seed = await seedProject(app.admin);
  const template = await seed.template();
  const task = await launch(app.admin, seed.projectId, { template_id: template.id });
  const time = app.ctx.clock.now().toISOString();
  const chunks = createLogChunks(0);
  const store = async (): Promise<void> => {
    const pending = chunks.take();
    if (!pending) return;
    const progress = { log_lines: pending.total, spool_offset: 0 };
    await storeChunks(app.ctx.db, { id: task.id, lease: 0 }, pending.chunks, progress);
  };
  for (const output of lines) {
    chunks.append({ time, output });
    if (chunks.pending() > 1024 * 1024) await store();
  }
  await store();
  return readTask(app.admin, task);
}

/** Asks for the hits of a search. */
export const searchOf = (app: TestApp, task: Task) => {
  type Query = Parameters<typeof app.admin.call<typeof tasks.search>>[1]['query'];
  return (query: Query) => app.admin.call(tasks.search, { ...whereOf(task), query });
};
