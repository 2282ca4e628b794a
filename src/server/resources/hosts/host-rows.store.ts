// Writes the hosts of a project: those of inventories and of finished tasks.

import { sql, type RawBuilder } from 'kysely';
import type { ResultState } from '#shared/api/run-results.ts';
import type { Db } from '../../db/open.ts';
import { batchesOf } from '../../../node/async/batches.ts';
import { fromPlain } from '../../db/plain-row.ts';
import type { NewRow } from '../../db/tables.ts';
import type { InventoryHosts } from '../../db/host-names/static-inventory.ts';
import { naturalKey } from '../../db/host-names/natural-order.ts';

export const groupColumns = { groups: 'json' } as const;

const BATCH_SIZE = 200;

const toRow = (host: { host: string; groups: string[] }): { host: string; groups: string } =>
  fromPlain(groupColumns, host) as never;

export const outcomeOf = (table: string): RawBuilder<ResultState> => {
  const count = (name: ResultState) => sql.ref(`${table}.${name}`);
  return sql<ResultState>`case
    when ${count('unreachable')} > 0 then 'unreachable'
    when ${count('failed')} > 0 then 'failed'
    when ${count('rescued')} > 0 then 'rescued'
    when ${count('ignored')} > 0 then 'ignored'
    when ${count('changed')} > 0 then 'changed'
    when ${count('ok')} > 0 then 'ok'
    else 'skipped' end`;
};

/** Serialises changes of the hosts of a project, so that none removes what another adds. */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  const same = { revision: sql<number>`revision` };
  await db.updateTable('projects').set(same).where('id', '=', projectId).execute();
}

/** Counts the hosts of other inventories; one in several counts several times. */
export async function countInventoryHosts(
  db: Db,
  { projectId, id }: { projectId: number; id: number | null },
): Promise<number> {
  const { count } = await db
    .selectFrom('inventory_hosts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('inventory_id', '<>', id ?? 0)
    .executeTakeFirstOrThrow();
  return count;
}

/** Unchanged rows are not written. */
export async function updateInventoryHosts(
  db: Db,
  { projectId, id }: { projectId: number; id: number },
  hosts: InventoryHosts,
): Promise<void> {
  await lockProject(db, projectId);
  const rows = await db
    .selectFrom('inventory_hosts')
    .select(['host', 'groups'])
    .where('inventory_id', '=', id)
    .execute();
  const stored = new Map(rows.map(({ host, groups }) => [host, groups]));
  const gone = rows.filter(({ host }) => !hosts.has(host)).map(({ host }) => host);
  for await (const batch of batchesOf(gone, BATCH_SIZE)) {
    await db
      .deleteFrom('inventory_hosts')
      .where('inventory_id', '=', id)
      .where('host', 'in', batch)
      .execute();
  }
  const changed = [...hosts]
    .map(([host, groups]) => toRow({ host, groups }))
    .filter(({ host, groups }) => stored.get(host) !== groups);
  for await (const batch of batchesOf(changed, BATCH_SIZE)) {
    await db
      .insertInto('inventory_hosts')
      .values(batch.map((row) => ({ ...row, project_id: projectId, inventory_id: id })))
      .onConflict((conflict) =>
        conflict
          .columns(['inventory_id', 'host'])
          .doUpdateSet(({ ref }) => ({ groups: ref('excluded.groups') })),
      )
      .execute();
  }
  const names = changed.map(({ host }) => host).filter((host) => !stored.has(host));
  await addHosts(
    db,
    names.map((name) => ({ project_id: projectId, name })),
  );
  if (gone.length > 0) await removeUnreferencedHosts(db, projectId);
}

/** Inserts hosts or updates their last outcome. Sorted, to avoid deadlocks. */
async function addHosts(db: Db, hosts: Omit<NewRow<'hosts'>, 'sort_key' | 'id'>[]): Promise<void> {
  const byName = (one: { name: string }, other: { name: string }) =>
    one.name < other.name ? -1 : 1;
  for await (const batch of batchesOf(hosts.toSorted(byName), BATCH_SIZE)) {
    await db
      .insertInto('hosts')
      .values(
        batch.map(({ last_task_id = null, last_outcome = null, ...host }) => ({
          ...host,
          sort_key: naturalKey(host.name),
          last_task_id,
          last_outcome,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'name']).doUpdateSet(({ ref, eb }) => {
          const isNewer = eb(
            'excluded.last_task_id',
            '>',
            eb.fn.coalesce('hosts.last_task_id', eb.lit(0)),
          );
          const newer = (column: 'last_task_id' | 'last_outcome') =>
            eb
              .case()
              .when(isNewer)
              .then(ref(`excluded.${column}`))
              .else(ref(`hosts.${column}`));
          return {
            last_task_id: newer('last_task_id').end() as never,
            last_outcome: newer('last_outcome').end() as never,
          };
        }),
      )
      .execute();
  }
}

/** Records the outcome of a finished task on its hosts. */
export async function addRun(
  db: Db,
  { id, project_id }: { id: number; project_id: number },
): Promise<void> {
  const rows = await db
    .selectFrom('task_hosts')
    .select(['host as name', outcomeOf('task_hosts').as('last_outcome')])
    .where('task_id', '=', id)
    .execute();
  await addHosts(
    db,
    rows.map((row) => ({ ...row, project_id, last_task_id: id })),
  );
}

/** Restores the previous task of hosts. The caller has locked the project before it deleted the task. */
export async function updateAfterDeletion(db: Db, projectId: number): Promise<void> {
  const newest = sql<number | null>`(
    select max(task_hosts.task_id) from task_hosts
    join tasks on tasks.id = task_hosts.task_id and tasks."end" is not null
    where task_hosts.project_id = hosts.project_id and task_hosts.host = hosts.name)`;
  const outcome = sql<ResultState | null>`(
    select ${outcomeOf('task_hosts')} from task_hosts
    where task_hosts.task_id = hosts.last_task_id and task_hosts.host = hosts.name)`;
  const rows = await db
    .selectFrom('hosts')
    .select('id')
    .where('project_id', '=', projectId)
    .where('last_task_id', 'is', null)
    .where('last_outcome', '>', '' as ResultState)
    .execute();
  for await (const batch of batchesOf(
    rows.map(({ id }) => id),
    BATCH_SIZE,
  )) {
    await db.updateTable('hosts').set({ last_task_id: newest }).where('id', 'in', batch).execute();
    await db.updateTable('hosts').set({ last_outcome: outcome }).where('id', 'in', batch).execute();
  }
  if (rows.length > 0) await removeUnreferencedHosts(db, projectId);
}

/** Deletes hosts that are in no inventory and no finished task. */
export async function removeUnreferencedHosts(db: Db, projectId: number): Promise<void> {
  await lockProject(db, projectId);
  await db
    .deleteFrom('hosts')
    .where('project_id', '=', projectId)
    .where('last_task_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('inventory_hosts')
            .select('inventory_hosts.host')
            .whereRef('inventory_hosts.project_id', '=', 'hosts.project_id')
            .whereRef('inventory_hosts.host', '=', 'hosts.name'),
        ),
      ),
    )
    .execute();
}
