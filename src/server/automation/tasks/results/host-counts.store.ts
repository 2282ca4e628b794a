import { sql } from 'kysely';
import type { HostCounts, RunOutcome } from '#shared/api/run-results.ts';
import type { Db } from '../../../db/open.ts';
import { findFailures } from './task-hosts.store.ts';

/** The numbers of hosts by their most severe result; null: no reported hosts. */
export async function countHosts(db: Db, taskId: number): Promise<HostCounts | null> {
  const severity = sql<
    'ok' | 'changed' | 'failed' | 'unreachable'
  >`case when unreachable > 0 then 'unreachable' when failed > 0 then 'failed'
    when changed > 0 then 'changed' else 'ok' end`;
  const rows = await db
    .selectFrom('task_hosts')
    .select(({ fn }) => [severity.as('outcome'), fn.countAll<number>().as('count')])
    .where('task_id', '=', taskId)
    .groupBy(severity)
    .execute();
  if (rows.length === 0) return null;
  const counts = { ok: 0, changed: 0, failed: 0, unreachable: 0, total: 0 };
  for (const { outcome, count } of rows) {
    counts[outcome] = count;
    counts.total += count;
  }
  return counts;
}

/** The results of the hosts of a run, with their failures; null: no reported hosts. */
export async function findOutcome(db: Db, taskId: number): Promise<RunOutcome | null> {
  const hosts = await countHosts(db, taskId);
  return hosts && { hosts, failures: await findFailures(db, taskId) };
}
