import {
  type FailureGroup,
  resultCountNames,
  type RunHost,
  type HostCounts,
  type RunOutcome,
} from '#shared/api/run-results.ts';
import type { Db } from '../../../db/open.ts';
import { type Columns, fromPlain, type Plain, toPlain } from '../../../db/plain-row.ts';
import type { NewRow, Row } from '../../../db/tables.ts';
import { lockHeld, noteOf, type LeasedTask } from '../rows/tasks.store.ts';
import { sql } from 'kysely';

const rowsAtOnce = 200;

const values = ['begin', 'end', 'duration_ms', 'first_failure', ...resultCountNames] as const;

interface Json {
  first_failure: RunHost['first_failure'];
}
type HostRow = Pick<Row<'task_hosts'>, 'host' | (typeof values)[number]>;
const columns: Columns<HostRow, Json> = { first_failure: 'json' };

/** Inserts or replaces the results of hosts of a run. */
export async function upsertHosts(
  db: Db,
  task: Required<LeasedTask> & { project_id: number },
  hosts: RunHost[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Done first: it locks the task until the end of the transaction, and refuses an older lease.
    await lockHeld(trx, task);
    // PostgreSQL refuses a statement that changes a row twice; names that are cut may be equal.
    const rows = [...new Map(hosts.map((host) => [storedName(host.host), host]))].map(
      ([name, host]) => toRow(task, { ...host, host: name }),
    );
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await trx
        .insertInto('task_hosts')
        .values(rows.slice(at, at + rowsAtOnce))
        .onConflict((conflict) =>
          conflict
            .columns(['task_id', 'host'])
            .doUpdateSet(({ ref }) =>
              Object.fromEntries(values.map((name) => [name, ref(`excluded.${name}`)])),
            ),
        )
        .execute();
    }
  });
}

const MAX_NAME_LENGTH = 250;

// PostgreSQL cannot store NUL in a text.
const storedName = (name: string): string =>
  name.replaceAll('\0', '\uFFFD').slice(0, MAX_NAME_LENGTH).toWellFormed();

function toRow(
  { id, project_id }: { id: number; project_id: number },
  host: RunHost,
): NewRow<'task_hosts'> {
  const row = fromPlain(columns, host) as unknown as HostRow;
  return { ...row, task_id: id, project_id };
}

/** The results of the hosts of a run, by their names. */
export async function listHosts(db: Db, taskId: number): Promise<RunHost[]> {
  const rows = await db
    .selectFrom('task_hosts')
    .select(['host', ...values])
    .where('task_id', '=', taskId)
    .orderBy('host')
    .execute();
  return rows.map((row): Plain<HostRow, Json> => toPlain<HostRow, Json>(columns, row));
}

/** Stores which facts these hosts have in a run. */
export async function updateFactSet(
  db: Db,
  taskId: number,
  hosts: string[],
  set: number,
): Promise<void> {
  await db
    .updateTable('task_hosts')
    .set({ fact_set_id: set })
    .where('task_id', '=', taskId)
    .where('host', 'in', hosts.map(storedName))
    .execute();
}

export async function updateFailures(
  db: Db,
  task: Required<LeasedTask>,
  failures: FailureGroup[],
): Promise<void> {
  await noteOf(db, task, fromPlain({ failures: 'json' }, { failures }));
}

/** The failures of a run by their cause. */
export async function findFailures(db: Db, taskId: number): Promise<FailureGroup[]> {
  const row = await db
    .selectFrom('tasks')
    .select('failures')
    .where('id', '=', taskId)
    .executeTakeFirst();
  if (!row) return [];
  const { failures } = toPlain<typeof row, { failures: FailureGroup[] | null }>(
    { failures: 'json' },
    row,
  );
  return failures ?? [];
}

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
