// Runs due follow-ups of ended tasks: those that failed, or whose server has ended.

import { BackgroundLoop } from '../../../context/background-loop.ts';
import type { Context } from '../../../context/context.ts';
import { findNextFollowUp, listDueFollowUps } from './ends.store.ts';
import { followEnd } from './follow-ups.ts';

const MAX_CONCURRENT = 50;

export const createFollowUpLoop = (ctx: Context): BackgroundLoop =>
  new BackgroundLoop(ctx, {
    name: 'follow_ups',
    wakeOn: ['follow-up.added'],
    async run({ signal }) {
      const due = await listDueFollowUps(ctx.db, ctx.clock.now().toISOString(), MAX_CONCURRENT);
      for (const task of due) if (!signal.aborted) await followEnd(ctx, task);
      return findNextFollowUp(ctx.db);
    },
    // At least: what another server is running stays due meanwhile. At most: a server that has ended
    // publishes no hub event.
    pause: { minMs: 500, maxMs: 30_000 },
    failure: 'reading due task follow-ups failed',
  });
