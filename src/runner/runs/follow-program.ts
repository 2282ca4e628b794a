// Follows the program of a step until it ends: its lines go into the log, its progress to the runner API.

import { join } from 'node:path';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { Step } from '../apps/app.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import type { RunContext } from '../api/runner-api.ts';
import { isHostKeyFailure } from '../git/failure.ts';
import type { Mask, PartMask } from '../log/mask.ts';
import { createPartialLine } from '../log/partial-line.ts';
import type { TaskLog } from '../log/task-log.ts';
import { followProgress } from '../progress/follow-progress.ts';
import type { RunState } from '../progress/run-state.ts';
import { attach, type Program, type ProgramResult } from '../supervisor/supervisor.ts';
import { realCheckout, type Workspace } from '../workspace/workspace.ts';
import type { TaskControl } from './control.ts';
import { noteGaps, orFilledDisk } from './full-disk.ts';

interface FollowedRun {
  ctx: RunContext;
  task: RunnerTask;
  mask: Mask;
  maskPart: PartMask;
  maskTail: PartMask;
  log: TaskLog;
  control: TaskControl;
}

interface ProgramEnd {
  result: ProgramResult;
  /** What the events of the run say. */
  told: RunState;
  isHostKeyWrong: boolean;
  /** The headline of the program's first error, in its own words; null: none was seen. */
  ownError: string | null;
}

interface Followed {
  number: number;
  folder: string;
  errorIn?: Step['errorIn'];
}

/** Null: the next runner goes on, because not all was read or told that the program has left. */
export async function followProgram(
  run: FollowedRun,
  workspace: Workspace,
  { number, folder, errorIn }: Followed,
): Promise<ProgramEnd | null> {
  const { ctx, task, log, control, mask, maskPart, maskTail } = run;
  let isHostKeyWrong = false;
  let ownError: string | null = null;
  // An earlier runner has stored the lines of this step up to here.
  const from = number === task.step ? task.spool_offset : 0;
  const place = { folder: workspace.dir, spool: join(folder, 'spool'), from, lines: log.count() };
  const checkout = await realCheckout(workspace);
  const program = attach({
    folder,
    mark: workspace.mark,
    from,
    onLines(lines, offset) {
      isHostKeyWrong ||= lines.some(isHostKeyFailure);
      for (const line of lines) ownError ??= errorIn?.(line) ?? null;
      return log.say(lines, offset).catch(async (cause: unknown) => {
        const error = await orFilledDisk(ctx, task, cause);
        if (isServerUnavailable(error)) control.detach();
        throw error;
      });
    },
    onPartial: createPartialLine(ctx, task, { mask: maskPart, lines: log.count }).take,
    detach: control.detached,
  });
  control.attach(program);
  const { detached } = control;
  const masks = { mask, maskPart, maskTail };
  const progress = followProgress(ctx, task, {
    ...place,
    ...masks,
    checkout,
    isAway: isServerUnavailable,
    detached,
  });
  const gaps = noteGaps(ctx, (line) => log.say([line]));
  const result = await resultOf(program, [progress, gaps]);
  const told = await progress.end();
  if (!result || !told) return null;
  return { result, told, isHostKeyWrong, ownError };
}

/** The result of the program, null if it was detached; `watchers` are ended with it. */
async function resultOf(
  program: Program,
  watchers: { end: () => Promise<unknown> }[],
): Promise<ProgramResult | null> {
  try {
    return await program.result;
  } finally {
    for (const watcher of watchers) await watcher.end();
  }
}
