// The limits of a task on this machine: the lower ones of its template and of the administrator.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunContext } from '../api/runner-api.ts';
import { unheldLimits } from '../programs/control-group.ts';
import { limitWords, lowerOf, noLimits, type TaskLimits } from '../programs/task-limits.ts';

export interface Limited {
  ctx: Pick<RunContext, 'config'>;
  task: Pick<RunnerTask, 'snapshot'>;
}

export const limitsOf = ({ ctx, task }: Limited): TaskLimits =>
  lowerOf(task.snapshot.limits ?? noLimits, ctx.config.taskLimits);

/**
 * The limits that this machine can enforce, and the lines of the log about them. Throws if one cannot be enforced
 * although the administrator requires it.
 */
export function heldLimits(run: Limited): { held: TaskLimits; lines: string[] } {
  const limits = limitsOf(run);
  const unheld = unheldLimits(limits);
  const held = { ...limits };
  for (const name of unheld) held[name] = 0;
  const missing = limitWords({
    ...noLimits,
    ...Object.fromEntries(unheld.map((name) => [name, limits[name]])),
  });
  if (missing !== '' && run.ctx.config.requireTaskLimits) throw new Error(unheldWords(missing));
  const words = limitWords(held);
  const lines = words === '' ? [] : [`Limits of this task: ${words}.`];
  return { held, lines: missing === '' ? lines : [...lines, unheldWords(missing)] };
}

const unheldWords = (missing: string): string =>
  `This server cannot hold limits of this task (${missing}): it needs control groups of version 2 that systemd hands to it (Delegate and DelegateSubgroup of its unit).`;
