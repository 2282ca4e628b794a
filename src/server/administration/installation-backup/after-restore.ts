// Ends what belongs to the previous machine in a restored database, and what a drill must not do.

import type { Context } from '../../context/context.ts';
import { dropAlerts } from '../../alerts/alert-deliveries/alert-deliveries.ts';
import { switchOffAll } from '../../automation/schedules/schedules.ts';
import { dropFollowUps } from '../../automation/tasks/ends/follow-ups.ts';
import { endBegunTasks, stopWaitingTasks } from '../../automation/tasks/stop-task.ts';
import { connectTaskEnds } from '../../automation/workflows/connect-task-ends.ts';
import { stopAllRuns } from '../../automation/workflows/runs/stop.ts';
import { record } from '../../events/events.ts';
import { closeAllServers } from '../../runners/runners.ts';
import type { Manifest } from './manifest.ts';

/** Returns the number of begun tasks that were ended. */
export async function settleRestored(
  ctx: Context,
  { created }: Manifest,
  isDrill: boolean,
): Promise<number> {
  connectTaskEnds(ctx);
  await closeAllServers(ctx);
  // Before tasks end, because workflows and alerts are follow-ups of their ends.
  if (isDrill) {
    await dropFollowUps(ctx);
    await switchOffAll(ctx);
    await stopAllRuns(ctx);
  }
  const ended = await endBegunTasks(ctx);
  if (isDrill) {
    await stopWaitingTasks(ctx);
    await dropAlerts(ctx);
  }
  await record(ctx, {
    code: 'installation.restored',
    projectId: null,
    object: { type: 'installation', id: null, name: '' },
    params: { created },
  });
  return ended;
}
