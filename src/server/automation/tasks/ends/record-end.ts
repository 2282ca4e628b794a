// Records the end of a task.

import type { Task } from '#shared/api/tasks.ts';
import { raiseAlerts, type Occasion } from '../../../alerts/alert-deliveries/raise-alerts.ts';
import type { Context } from '../../../context/context.ts';
import { record } from '../../../events/events.ts';
import { recordRun } from '../../../resources/hosts/hosts.ts';
import { findOutcome } from '../results/task-hosts.store.ts';
import { updateLogBytes } from '../rows/tasks.store.ts';
import { measureEnd } from '../runs/measure.ts';
import { isLastAttempt } from '../runs/retry.ts';
import { traceEnd } from '../runs/trace.ts';

const largestExitCode = 2 ** 31 - 1;

/** Programs of some systems end with codes of more than 32 bits, which PostgreSQL does not store. */
export const keptExitCode = (code: number | null): number | null =>
  code === null ? null : Math.max(-largestExitCode - 1, Math.min(code, largestExitCode));

export async function recordEnd(ctx: Context, task: Task): Promise<void> {
  const { id, project_id: projectId, tpl_alias: name, tpl_app: app, status } = task;
  await updateLogBytes(ctx.db, id);
  await recordRun(ctx, task);
  // Attribute the end to the system, not to the user who requested the stop.
  await record(ctx, {
    code: task.dry_run ? 'task.dry_run_finished' : 'task.finished',
    projectId,
    object: { type: 'task', id, name },
    params: { task: id, status },
  });
  measureEnd(ctx, task);
  await traceEnd(ctx, id, { template: name, app });
}

export async function alertEnd(ctx: Context, task: Task): Promise<void> {
  const occasion = occasionOf(task);
  if (occasion) await raiseAlerts(ctx, task.id, occasion, () => findOutcome(ctx.db, task.id));
}

/** No alert for a failed attempt that is followed by another one. */
function occasionOf(task: Task): Occasion | null {
  if (task.status === 'success') return 'succeeded';
  if (task.status === 'stopped') return 'stopped';
  return isLastAttempt(task) ? 'failed' : null;
}
