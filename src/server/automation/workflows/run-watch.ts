// Ends due waits and approvals in runs of workflows. At least once a minute it also completes the work of
// servers that have ended: stopping runs, and ended tasks whose runs have not advanced.

import { BackgroundLoop, type Round } from '../../context/background-loop.ts';
import { byServer, type Context } from '../../context/context.ts';
import { applyRunEvent } from './runs/advance.ts';
import { endDue } from './runs/node-ends.ts';
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
