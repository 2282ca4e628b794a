// Stops all runs of workflows, in an installation that was restored for a drill.

import type { Context } from '../../../context/context.ts';
import { listUnfinished } from './runs.store.ts';
import { stopRun } from './stop.ts';
import type { TaskCalls } from './task-calls.ts';

export async function stopAllRuns(ctx: Context, calls: TaskCalls): Promise<void> {
  for (const { id, project_id: projectId } of await listUnfinished(ctx.db)) {
    await stopRun(ctx, calls, { projectId, runId: id }, true);
  }
}
