// Assigns waiting tasks to runners, when limits, slots or the queue have changed, and when a retry is
// due. Several servers do this at once; no task is assigned twice.

import { BackgroundLoop } from '../context/background-loop.ts';
import { isAlone, type Context } from '../context/context.ts';
import { hasSpaceForTasks } from '../../node/fs/disk-space.ts';
import { admitDue, nextTry } from '../automation/tasks/admission/admission.ts';

// The next round without a hub event: the only server that received an event may have ended.
const MAX_PAUSE_MS = 5000;

export const createDispatch = (ctx: Context): BackgroundLoop =>
  new BackgroundLoop(ctx, {
    name: 'assign_tasks',
    // The limits of projects or templates may have changed.
    wakeOn: ['queue.changed'],
    wakeOnChanged: ['projects', 'templates'],
    run: () => assignDue(ctx),
    failure: 'assigning tasks to runners failed',
  });

async function assignDue(ctx: Context): Promise<Date | null> {
  const begun = ctx.clock.now();
  const due = admitDue(ctx);
  let step = await due.next();
  while (step.done !== true) step = await due.next();
  const next = step.value ? await nextTry(ctx, begun) : null;
  // No hub event is published when the disk has room for tasks again.
  if (isAlone(ctx) && hasSpaceForTasks(ctx.config)) return next;
  const latest = ctx.clock.now().getTime() + MAX_PAUSE_MS;
  return new Date(Math.min(next?.getTime() ?? latest, latest));
}
