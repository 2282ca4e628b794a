// What a change of the rules of time zones means for schedules.

import type { Context } from '../../context/context.ts';
import { isInterval, nextDue } from '../../lib/cron.ts';
import { listCronRows, takeDue } from './schedules.store.ts';

/** Computes the next due times of cron expressions again; returns how many have changed. Those that have passed stay. */
export async function computeDueTimes(ctx: Context): Promise<number> {
  const now = ctx.clock.now().toISOString();
  let changed = 0;
  for (const schedule of await listCronRows(ctx.db, now)) {
    if (isInterval(schedule.cron_format)) continue;
    const next = nextDue(schedule, now);
    // Another server may have changed the schedule meanwhile, and has then computed it itself.
    if (next !== schedule.next_due && (await takeDue(ctx.db, schedule, next))) changed += 1;
  }
  return changed;
}
