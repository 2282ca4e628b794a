// Revokes the leases of a lost runner: a task that has not begun waits again, and one that has begun
// fails with the reason. Later writes of that runner are refused.

import type { Context } from '../context/context.ts';
import { addWords } from '../automation/tasks/log/append-lines.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { type Failure, taskFailures } from '#shared/catalogue/task-failures.ts';
import { listHeld, takeFromLost } from '../automation/tasks/runs/runner-tasks.ts';
import { endTask } from '../automation/tasks/end-task.ts';

export async function giveUpTasks(
  ctx: Context,
  { id, name }: { id: number; name: string },
): Promise<void> {
  for (const task of await listHeld(ctx, id)) await giveUp(ctx, task, name);
}

async function giveUp(ctx: Context, task: RunnerTask, name: string): Promise<void> {
  const taken = await takeFromLost(ctx, task);
  if (!taken) return;
  const held = { ...task, lease: taken.lease };
  const failure: Failure = { code: 'failure.runner_lost', params: { server: name } };
  const words = addWords(ctx, held, [
    taken.isWaiting
      ? `The server ${name} was lost before the program began. Waiting for another one.`
      : taskFailures.message(failure),
  ]);
  // Another runner may already hold the task and write its log.
  if (taken.isWaiting) return words.catch(() => undefined);
  await words;
  await endTask(ctx, held, 'error', { failure });
}
