// Carries on what time decides in runs of workflows: waits and approvals that are due. It also looks
// after what a server that ended left behind, at least once a minute: runs that were told to stop, and
// tasks that ended without telling their run.

import { BackgroundLoop, type Round } from '../../context/background-loop.ts';
import { byServer, type Context } from '../../context/context.ts';
import { applyRunEvent } from './runs/advance.ts';
import { endDue } from './runs/due.ts';
import { findNextDue, listDue, listLeft } from './runs/nodes.store.ts';
import { listStopping } from './runs/runs.store.ts';
import { endActive } from './runs/stop.ts';

export function createRunLoop(given: Context): BackgroundLoop {
  const ctx = { ...given, by: byServer };
  return new BackgroundLoop(ctx, {
    name: 'workflow_runs',
    wakeOnChanged: ['workflowRuns'],
    run: (round) => advanceDue(ctx, round),
    pause: { maxMs: 60_000, retryMs: 5_000 },
    failure: 'advancing due workflow runs failed',
  });
}

async function advanceDue(ctx: Context, { fail }: Round): Promise<string | null> {
  const { db, log, clock } = ctx;
  const works: (() => Promise<void>)[] = [];
  for (const due of await listDue(db, clock.now().toISOString())) {
    works.push(() => endDue(ctx, due));
  }
  for (const { run_id: runId, node, status } of await listLeft(db)) {
    const outcome = status === 'success' ? 'success' : 'failure';
    works.push(() => applyRunEvent(ctx, runId, { type: 'ended', node, outcome }));
  }
  for (const { id: runId, project_id: projectId } of await listStopping(db)) {
    works.push(() => endActive(ctx, { projectId, runId }));
  }
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      fail(error);
      log.error({ err: error }, 'workflow run failed to advance');
    }
  }
  return findNextDue(db);
}
