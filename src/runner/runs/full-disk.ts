// Handles a full disk during a task. The output of its program may be what fills the disk, so it is
// removed to make room for the end of the task.

import { taskFailures } from '#shared/catalogue/task-failures.ts';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFull, MIN_FREE_BYTES } from '../../node/fs/disk-space.ts';
import { isDiskFull } from '../../node/fs/disk-full.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import type { Mask } from '../log/mask.ts';
import { createTaskLog, type TaskLog } from '../log/task-log.ts';
import { endRun } from '../supervisor/supervisor.ts';
import { findWorkspace, listSteps } from '../workspace/workspace.ts';

const checkPauseMs = 1000;

export const fullDiskWords = {
  ended: taskFailures.text('failure.disk_full'),
  found: 'The disk of the server is full.',
  gap: (from: Date, to: Date) =>
    `The disk of the server was full from ${from.toISOString()} to ${to.toISOString()}: lines that the program printed meanwhile may be missing.`,
};

/**
 * Says in the log of a running task from when to when the disk was full. The program's output goes
 * to a file on that disk, and most programs go on when a write fails. Nothing but this line would
 * tell that lines are missing where the log is stored on another disk.
 */
export function noteGaps(
  { config, clock }: Pick<RunContext, 'config' | 'clock'>,
  say: (line: string) => Promise<void>,
): { end: () => Promise<void> } {
  let lastRoom = clock.now();
  let wasFull = false;
  const look = async (isLast: boolean): Promise<void> => {
    const isNow = isFull(config);
    const from = lastRoom;
    if (!isNow) lastRoom = clock.now();
    wasFull ||= isNow;
    if (!wasFull || (isNow && !isLast)) return;
    wasFull = false;
    await say(fullDiskWords.gap(from, clock.now()));
  };
  let looking = Promise.resolve();
  const lookNext = (isLast: boolean): Promise<void> =>
    (looking = looking.then(() => look(isLast)).catch(() => undefined));
  const timer = setInterval(() => void lookNext(false), checkPauseMs);
  return {
    async end() {
      clearInterval(timer);
      await lookNext(true);
    },
  };
}

/**
 * Ends the programs of the run, which would fill the disk again, and empties their spools. Returns a
 * log that goes on behind the stored lines.
 */
export async function giveUpSpool(ctx: RunContext, task: RunnerTask, mask: Mask): Promise<TaskLog> {
  const workspace = await findWorkspace(ctx.config, task.id);
  if (workspace) await endRun(workspace.dir, workspace.mark);
  for (const folder of workspace ? await listSteps(workspace) : []) {
    await truncate(join(folder, 'spool')).catch(() => undefined);
  }
  const lines = await ctx.runnerApi.countLines(task);
  return createTaskLog(ctx, { ...task, log_lines: lines, spool_offset: 0 }, mask);
}

/** The output of a run fills the disk, on which the server stores it too. */
class OutputFillsDisk extends Error {
  readonly code = 'ENOSPC';
}

/**
 * Tells a server that is away from one that cannot store anything because the output of this run fills
 * the disk, which ends only when the run gives its output up. Returns the error of the one or the other.
 */
export async function orFilledDisk(
  { config }: Pick<RunContext, 'config'>,
  { id }: Pick<RunnerTask, 'id'>,
  error: unknown,
): Promise<unknown> {
  if (!isServerUnavailable(error) || !isFull(config)) return error;
  const workspace = await findWorkspace(config, id);
  let bytes = 0;
  for (const folder of workspace ? await listSteps(workspace) : []) {
    bytes += (await stat(join(folder, 'spool')).catch(() => null))?.size ?? 0;
  }
  return bytes < MIN_FREE_BYTES ? error : new OutputFillsDisk(fullDiskWords.found);
}

/** Repeats the work until the disk has room and the server can be reached, or the signal fires. */
export async function onceItCanBe<T>(
  ctx: Pick<RunContext, 'log'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(isDiskFull(error) || isServerUnavailable(error)) || signal.aborted) throw error;
      ctx.log.error({ err: error }, 'the end of a task cannot be recorded now; trying again');
      await delay(checkPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
