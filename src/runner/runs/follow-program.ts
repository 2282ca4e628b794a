// Follows the program of a step until it ends: stores its lines in the log, and reports its progress.

import { join } from 'node:path';
import type { Step } from '../apps/app.ts';
import { isServerUnavailable } from '../api/server-unavailable.ts';
import { isHostKeyFailure } from '../git/failure.ts';
import { createPartialLine } from '../log/task-log.ts';
import { followProgress } from '../progress/follow-progress.ts';
import type { RunState } from '../progress/run-state.ts';
import { attach, type Program, type ProgramResult } from '../supervisor/supervisor.ts';
import { realCheckout, type Workspace } from '../workspace/workspace.ts';
import { noteGaps, orFilledDisk } from './full-disk.ts';
import type { Run } from './run.ts';

type FollowedRun = Pick<
  Run,
  'ctx' | 'task' | 'mask' | 'maskPart' | 'maskTail' | 'log' | 'control' | 'background'
>;

interface ProgramEnd {
  result: ProgramResult;
  /** The aggregated events of the run. */
  state: RunState;
  isHostKeyWrong: boolean;
  /** The headline of the program's first error message; null: none. */
  ownError: string | null;
}

interface Followed {
  number: number;
  folder: string;
  errorIn?: Step['errorIn'];
}

/** Null: the next runner continues, because the program was detached or not all events were reported. */
export async function followProgram(
  run: FollowedRun,
  workspace: Workspace,
  { number, folder, errorIn }: Followed,
): Promise<ProgramEnd | null> {
  const { ctx, task, log, control, background, mask, maskPart, maskTail } = run;
  let isHostKeyWrong = false;
  let ownError: string | null = null;
  // The lines of this step that an earlier runner has stored.
  const from = number === task.step ? task.spool_offset : 0;
  const place = { folder: workspace.dir, spool: join(folder, 'spool'), from, lines: log.count() };
  const checkout = await realCheckout(workspace);
  const program = attach({
    folder,
    mark: workspace.mark,
    from,
    onLines(lines, offset) {
      background.hasStarted();
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
  const state = await progress.end();
  if (!result || !state) return null;
  return { result, state, isHostKeyWrong, ownError };
}

/** The result of the program; null: it was detached. Ends the watchers with it. */
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
