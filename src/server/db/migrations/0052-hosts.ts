import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { naturalKey } from '../host-names/natural-order.ts';
import { readInventory } from '../host-names/static-inventory.ts';
import { runStatements } from './statements.ts';

/** The hosts of projects: those that inventories name, and those of earlier runs. */
export const hosts: Migration = {
  async up(db: Kysely<never>) {
    await runStatements(db, tables);
    await addInventories(db);
    await addRuns(db);
  },
};

const tables = `
  create table hosts (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(250) not null,
    sort_key text not null,
    last_task_id {int64} references tasks (id) on delete set null,
    last_outcome varchar(20),
    constraint hosts_by_name unique (project_id, name)
  );
  create index hosts_by_last_task on hosts (last_task_id, last_outcome);
  create table inventory_hosts (
    project_id {int64} not null,
    inventory_id {int64} not null,
    host varchar(250) not null,
    groups text not null,
    constraint inventory_hosts_key primary key (inventory_id, host),
    constraint inventory_hosts_inventory foreign key (project_id, inventory_id)
      references inventories (project_id, id) on delete cascade
  );
  create index inventory_hosts_by_host on inventory_hosts (project_id, host);
  create index inventory_hosts_by_inventory on inventory_hosts (project_id, inventory_id);
  -- Finds the last failure of a host without reading its many successful runs.
  create index task_hosts_by_failure on task_hosts (project_id, host, task_id)
    where failed + unreachable > 0
`;

interface InventoryHost {
  project_id: number;
  inventory_id: number;
  host: string;
  groups: string;
}

interface Host {
  project_id: number;
  name: string;
  sort_key: string;
  last_task_id: number | null;
  last_outcome: string | null;
}

const into = (db: Kysely<never>) =>
  db as unknown as Kysely<{ hosts: Host; inventory_hosts: InventoryHost }>;

const rowsAtOnce = 200;

function* pieces<Item>(all: Item[]): Generator<Item[]> {
  for (let at = 0; at < all.length; at += rowsAtOnce) yield all.slice(at, at + rowsAtOnce);
}

interface OldInventory {
  id: number;
  project_id: number;
  type: string;
  inventory: string;
}

async function addInventories(db: Kysely<never>): Promise<void> {
  for (let after = 0; ;) {
    // One at a time: an inventory may have several MiB.
    const { rows } = await sql<OldInventory>`
      select id, project_id, type, inventory from inventories
      where id > ${after} order by id limit 1`.execute(db);
    const [inventory] = rows;
    if (!inventory) return;
    const { id: inventory_id, project_id } = inventory;
    const found = [...(await readInventory(inventory.type, inventory.inventory))];
    for (const piece of pieces(found)) {
      const own = piece.map(([host, groups]) => ({
        project_id,
        inventory_id,
        host,
        groups: JSON.stringify(groups),
      }));
      await into(db).insertInto('inventory_hosts').values(own).execute();
      const none = { last_task_id: null, last_outcome: null };
      await insertHosts(
        db,
        piece.map(([name]) => ({ project_id, name, sort_key: naturalKey(name), ...none })),
      );
    }
    after = inventory.id;
  }
}

async function insertHosts(db: Kysely<never>, rows: Host[]): Promise<void> {
  await into(db)
    .insertInto('hosts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'name']).doUpdateSet(({ ref }) => ({
        last_task_id: ref('excluded.last_task_id'),
        last_outcome: ref('excluded.last_outcome'),
      })),
    )
    .execute();
}

interface Run {
  project_id: number;
  host: string;
  task_id: number;
  outcome: string;
}

const hostsAtOnce = 1000;

async function addRuns(db: Kysely<never>): Promise<void> {
  let [project, host] = [0, ''];
  for (;;) {
    const { rows } = await sql<Run>`
      select newest.project_id, newest.host, newest.task_id,
        case
          when unreachable > 0 then 'unreachable'
          when failed > 0 then 'failed'
          when rescued > 0 then 'rescued'
          when ignored > 0 then 'ignored'
          when changed > 0 then 'changed'
          when ok > 0 then 'ok'
          else 'skipped'
        end as outcome
      from (
        select task_hosts.project_id, task_hosts.host, max(task_hosts.task_id) as task_id
        from task_hosts
        join tasks on tasks.id = task_hosts.task_id and tasks."end" is not null
        where (task_hosts.project_id, task_hosts.host) > (${project}, ${host})
        group by task_hosts.project_id, task_hosts.host
        order by task_hosts.project_id, task_hosts.host
        limit ${hostsAtOnce}
      ) as newest
      join task_hosts on task_hosts.task_id = newest.task_id and task_hosts.host = newest.host
      order by newest.project_id, newest.host`.execute(db);
    for (const piece of pieces(rows)) {
      await insertHosts(
        db,
        piece.map(({ project_id, host: name, task_id: last_task_id, outcome: last_outcome }) => {
          return { project_id, name, sort_key: naturalKey(name), last_task_id, last_outcome };
        }),
      );
    }
    const last = rows.at(-1);
    if (!last) return;
    [project, host] = [last.project_id, last.host];
  }
}
