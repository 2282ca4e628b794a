// What becomes of a task when the disk is full. What its program has printed may be what fills it:
// that is given up, so that there is room to say how the task has ended.

import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDiskFull } from '../system/full.ts';
import { isAway } from '../client/ask.ts';
import type { RunnerTask } from '#shared/api/runner-desk.ts';
import type { RunContext } from '../desk/desk.ts';
import type { Mask } from '../log/mask.ts';
import { createTaskLog, type TaskLog } from '../log/task-log.ts';
import { endRun } from '../supervisor/supervisor.ts';
import { findWorkspace, listSteps } from '../workspace/workspace.ts';

// Milliseconds between two looks whether there is room again.
const pause = 1000;

export const fullDiskWords = {
  ended: 'The disk of the server is full: the rest of the log is lost, and the task was ended.',
  found: 'The disk of the server is full.',
};

/**
 * Ends what still prints, which would fill the disk again, and empties what it has printed; answers
 * a log that goes on behind the stored lines.
 */
export async function giveUpSpool(ctx: RunContext, task: RunnerTask, mask: Mask): Promise<TaskLog> {
  const workspace = await findWorkspace(ctx.config, task.id);
  if (workspace) await endRun(workspace.dir, workspace.mark);
  for (const folder of workspace ? await listSteps(workspace) : []) {
    await truncate(join(folder, 'spool')).catch(() => undefined);
  }
  const lines = await ctx.desk.countLines(task);
  return createTaskLog(ctx, { ...task, log_lines: lines, spool_offset: 0 }, mask);
}

/** Does what must not be left undone, as soon as there is room and somebody to note it. */
export async function onceItCanBe<T>(
  ctx: Pick<RunContext, 'log'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(isDiskFull(error) || isAway(error)) || signal.aborted) throw error;
      ctx.log.error({ err: error }, 'the end of a task cannot be noted now; trying again');
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}
