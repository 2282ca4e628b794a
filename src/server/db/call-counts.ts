// Rate limit counters, shared by all servers.

import { sql } from 'kysely';
import type { Db } from './open.ts';

/** Fixed window: the first call after its end begins a new one. `calls` includes this call. */
export async function countCall(
  db: Db,
  key: string,
  { now, windowMs }: { now: Date; windowMs: number },
): Promise<{ calls: number; ends: string }> {
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

export async function deleteCalls(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('call_counts').where('ends', '<=', now.toISOString()).execute();
}
