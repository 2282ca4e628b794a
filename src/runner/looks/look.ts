// A short look at something for a person who waits: few at once, in a private folder, and ended
// when it takes too long.

import type { Context } from '../../server/context.ts';
import { fail } from '../../server/errors.ts';
import { lookUser } from '../workspace/run-users.ts';
import { inTurn } from '../system/turns.ts';
import { makeWorkspace, type Workspace } from '../workspace/workspace.ts';

export interface LookPlace {
  workspace: Workspace;
  /** Whatever is started ends with it. */
  signal: AbortSignal;
}

/** Milliseconds. */
export const lookTime = 20_000;

// How many wait or work in each lane.
const lanes = [0, 0];
const mostInLane = 8;

// The folder is that of no task: what a crash leaves of it is removed at the next start.
const noTask = 0;

/** Waiting for a free lane counts as well. */
export async function look<T>(
  { config }: Pick<Context, 'config'>,
  work: (place: LookPlace) => Promise<T>,
  time = lookTime,
): Promise<T> {
  const fewest = Math.min(...lanes);
  if (fewest >= mostInLane) throw fail('request.rate_limited', { seconds: time / 1000 });
  const lane = lanes.indexOf(fewest);
  const signal = AbortSignal.timeout(time);
  const begin = async (): Promise<T> => {
    const workspace = await makeWorkspace(config, noTask, lookUser(config));
    try {
      const seen = await work({ workspace, signal });
      signal.throwIfAborted();
      return seen;
    } finally {
      await workspace.remove();
    }
  };
  lanes[lane] = fewest + 1;
  try {
    return await inTurn(`look-${lane}`, begin, signal);
  } catch (error) {
    if (signal.aborted) throw fail('request.too_slow', { seconds: time / 1000 });
    throw error;
  } finally {
    lanes[lane] = (lanes[lane] ?? 1) - 1;
  }
}
