// Launches tasks in tests, and waits for their results.

import type { CallOf } from '#shared/api/endpoint.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { isFinished, type TaskStatus } from '#shared/task-status.ts';
import { isAlone, type Context } from '../../src/server/context/context.ts';
import { listRunnerCapacities } from '../../src/server/runners/runner-capacity.ts';
import { enter } from '../../src/server/runners/runners.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { admitDue } from '../../src/server/automation/tasks/admission/admission.ts';
import { toRunnerTask } from '../../src/server/automation/tasks/runs/runner-tasks.ts';
import type { Caller } from './app.ts';
import { type Hint, until } from './until.ts';

export function launch(
  caller: Caller,
  projectId: number,
  body: CallOf<typeof tasks.start>['body'],
): Promise<Task> {
  return caller.call(tasks.start, { params: { project_id: projectId }, body });
}

export function readTask(caller: Caller, { project_id, id }: Task): Promise<Task> {
  return caller.call(tasks.one, { params: { project_id, task_id: id } });
}

export function untilStatus(caller: Caller, task: Task, status: TaskStatus): Promise<Task> {
  return untilTask(caller, task, async (now) => {
    if (now.status !== status && isFinished(now.status)) {
      throw new Error(`${now.status} instead of ${status}:\n${await logText(caller, task)}`);
    }
    return now.status === status;
  });
}

export function untilFinished(caller: Caller, task: Task, seconds?: number): Promise<Task> {
  return untilTask(caller, task, ({ status }) => isFinished(status), seconds);
}

/** Waits for tasks one after the other, which run beside each other. */
export async function untilAllFinished(caller: Caller, all: readonly Task[]): Promise<Task[]> {
  const finished: Task[] = [];
  for (const task of all) finished.push(await untilFinished(caller, task));
  return finished;
}

/**
 * Reads the task when the server sends a hint, and now and then, since another server may run it.
 */
function untilTask(
  caller: Caller,
  task: Task,
  isReached: (now: Task) => boolean | Promise<boolean>,
  seconds?: number,
): Promise<Task> {
  const { onTaskChange } = caller;
  const hint: Hint | undefined = onTaskChange && ((wake) => onTaskChange(task.id, wake));
  const look = async (): Promise<Task | false> => {
    const now = await readTask(caller, task);
    return (await isReached(now)) && now;
  };
  return until(look, seconds, hint);
}

/** The whole log as one text. */
export async function logText(caller: Caller, { project_id, id }: Task): Promise<string> {
  const params = { project_id, task_id: id };
  const lines = await caller.call(tasks.output, { params });
  return lines.map(({ output }) => output).join('\n');
}

/**
 * Adds a runner that is always available and never runs anything, since several servers need one.
 */
export async function presentRunner(ctx: Context): Promise<void> {
  if (isAlone(ctx)) return;
  const { id } = await enter(ctx);
  const change = { last_seen: '2999-01-01T00:00:00.000Z' };
  await ctx.db.updateTable('runners').set(change).where('id', '=', id).execute();
}

/** Takes the next task from the queue as for a runner; null if the limits allow none. */
export async function claimNext(ctx: Context): Promise<RunnerTask | null> {
  const enterFirst = async (inner: Context) => {
    await enter(inner);
    return listRunnerCapacities(inner);
  };
  const due = admitDue(ctx, isAlone(ctx) ? listRunnerCapacities : enterFirst);
  for await (const row of due) return toRunnerTask(ctx, row);
  return null;
}
