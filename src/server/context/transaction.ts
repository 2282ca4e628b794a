// Runs a use case in one transaction. Hints are sent after the commit: their receivers would
// otherwise read the old rows, and a transaction that fails has changed nothing. Telemetry is told
// after the commit for the same reason.

import type { Context } from './context.ts';
import { keptBack } from '../lib/telemetry/telemetry.ts';
import type { HubEvent, Hub } from '../live/hub.ts';

/**
 * Runs the work in the current transaction, or in a new one. With `repeatable read`, everything is
 * read as of one moment, as SQLite always does.
 */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
  isolation: 'read committed' | 'repeatable read' = 'read committed',
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  const events: HubEvent[] = [];
  const hub: Hub = {
    ...ctx.hub,
    publish: (...event) => {
      events.push(event);
    },
  };
  const measured = keptBack(ctx.telemetry);
  const { telemetry } = measured;
  const [result, tell] = await ctx.db
    .transaction()
    .setIsolationLevel(isolation)
    .execute(async (db) => {
      const done = await work({ ...ctx, db, hub, telemetry });
      return [done, await ctx.hub.publishWith(db, events)] as const;
    });
  tell();
  measured.tell();
  return result;
}
