// Handles a full disk during a task. Its output may be what fills the disk, so it is removed to make room for the end
// of the task.

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
 * Logs from when to when the disk was full during a program. Most programs ignore errors of writing their output,
 * which is a file on that disk, so missing lines would not be noticed if the log is stored on another disk.
 */
export function noteGaps(
  { config, clock }: Pick<RunContext, 'config' | 'clock'>,
  say: (line: string) => Promise<void>,
): { end: () => Promise<void> } {
  let lastRoom = clock.now();
  let wasFull = false;
  const check = async (isLast: boolean): Promise<void> => {
    const isNow = isFull(config);
    const from = lastRoom;
    if (!isNow) lastRoom = clock.now();
    wasFull ||= isNow;
    if (!wasFull || (isNow && !isLast)) return;
    wasFull = false;
    await say(fullDiskWords.gap(from, clock.now()));
  };
  let checks = Promise.resolve();
  const checkNext = (isLast: boolean): Promise<void> =>
    (checks = checks.then(() => check(isLast)).catch(() => undefined));
  const timer = setInterval(() => void checkNext(false), checkPauseMs);
  return {
    async end() {
      clearInterval(timer);
      await checkNext(true);
    },
  };
}

/** Kills the programs of the run, which would fill the disk again, and empties their spools. Returns a new log. */
export async function giveUpSpool(ctx: RunContext, task: RunnerTask, mask: Mask): Promise<TaskLog> {
  const workspace = await findWorkspace(ctx.config, task.id);
  if (workspace) await endRun(workspace.dir, workspace.mark);
  for (const folder of workspace ? await listSteps(workspace) : []) {
    await truncate(join(folder, 'spool')).catch(() => undefined);
  }
  const lines = await ctx.runnerApi.countLines(task);
  return createTaskLog(ctx, { ...task, log_lines: lines, spool_offset: 0 }, mask);
}

/** The output of a run fills a disk that the server needs too. */
class OutputFillsDisk extends Error {
  readonly code = 'ENOSPC';
}

/**
 * Distinguishes an unreachable server from one that cannot store anything because the output of this run fills the
 * disk, which lasts until the run removes its output. Returns the error.
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

/** Retries the work while the disk is full or the server unreachable, until the signal fires. */
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
