// Runs a use case in one transaction. Hub events and telemetry are published after the commit: subscribers
// would otherwise read the old rows, and a rolled-back transaction has changed nothing.

import type { Context } from './context.ts';
import { bufferTelemetry } from '../lib/telemetry/telemetry.ts';
import type { HubEvent, Hub } from '../live/hub.ts';

/** Joins or begins a transaction. `repeatable read` is what SQLite always provides. */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
  isolation: 'read committed' | 'repeatable read' = 'read committed',
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  const events: HubEvent[] = [];
  const hub: Hub = { ...ctx.hub, publish: (...event) => void events.push(event) };
  const { telemetry, flush } = bufferTelemetry(ctx.telemetry);
  const [result, publish] = await ctx.db
    .transaction()
    .setIsolationLevel(isolation)
    .execute(async (db) => {
      const done = await work({ ...ctx, db, hub, telemetry });
      return [done, await ctx.hub.publishWith(db, events)] as const;
    });
  publish();
  flush();
  return result;
}
