// Counts how often a client address has called an endpoint. Several servers count in their shared
// database, so a client gains nothing by calling them in turn.

import { sql } from 'kysely';
import type { Db } from './open.ts';

export interface CallCount {
  /** The number of calls in this time window, including this one. */
  calls: number;
  /** When the window ends. */
  ends: string;
}

/** Counts a call. The first call after the end of a window begins a new window. */
export async function countCall(
  db: Db,
  key: string,
  { now, windowMs }: { now: Date; windowMs: number },
): Promise<CallCount> {
  const time = now.toISOString();
  const ends = new Date(now.getTime() + windowMs).toISOString();
  return db
    .insertInto('call_counts')
    .values({ key, calls: 1, ends })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        calls: sql<number>`case when ${ref('call_counts.ends')} <= ${time} then 1 else ${ref('call_counts.calls')} + 1 end`,
        ends: sql<string>`case when ${ref('call_counts.ends')} <= ${time} then ${ends} else ${ref('call_counts.ends')} end`,
      })),
    )
    .returning(['calls', 'ends'])
    .executeTakeFirstOrThrow();
}

/** Deletes the counts of windows that have ended. */
export async function deleteCalls(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('call_counts').where('ends', '<=', now.toISOString()).execute();
}
