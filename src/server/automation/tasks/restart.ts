import { newTask, type Task } from '#shared/api/tasks.ts';
import type { Context } from '../../context/context.ts';
import { requireTask } from './tasks.ts';
import { startTask } from './start-task.ts';

/**
 * Launches the template of a task with the options of that task. The rules of a launch apply: options
 * that the template no longer allows are refused. Secret answers are not stored, so there are none.
 */
export async function restartTask(ctx: Context, projectId: number, id: number): Promise<Task> {
  const task = await requireTask(ctx, projectId, id);
  return startTask(ctx, projectId, newTask.parse(optionsOf(task)));
}

/** The options of the launch of a task, without its secret answers. */
export function optionsOf(task: Task): Record<string, unknown> {
  const known = Object.keys(newTask.shape).filter((name) => name in task);
  const options = Object.fromEntries(known.map((name) => [name, task[name as keyof Task]]));
  // A launch runs the newest commit, unless it names one.
  const { commit_hash: _commit, secret: _secret, ...launch } = options;
  return launch;
}
