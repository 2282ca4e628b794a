import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { naturalKey } from '../host-names/natural-order.ts';
import { readInventory } from '../host-names/static-inventory.ts';
import { idColumn, idType, required } from '../row.ts';

/** The hosts of projects: those that inventories name, and those of earlier runs. */
export const hosts: Migration = {
  async up(db: Kysely<never>) {
    await createHosts(db);
    await createInventoryHosts(db);
    // The last failure of a host is found without its many runs that were good.
    await sql`create index task_hosts_by_failure on task_hosts (project_id, host, task_id)
      where failed + unreachable > 0`.execute(db);
    await addInventories(db);
    await addRuns(db);
  },
};

async function createHosts(db: Kysely<never>): Promise<void> {
  await idColumn(db, db.schema.createTable('hosts'))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'varchar(250)', required)
    .addColumn('sort_key', 'text', required)
    .addColumn('last_task_id', idType(db), (column) =>
      column.references('tasks.id').onDelete('set null'),
    )
    .addColumn('last_outcome', 'varchar(20)')
    .addUniqueConstraint('hosts_by_name', ['project_id', 'name'])
    .execute();
  await db.schema
    .createIndex('hosts_by_last_task')
    .on('hosts')
    .columns(['last_task_id', 'last_outcome'])
    .execute();
}

async function createInventoryHosts(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('inventory_hosts')
    .addColumn('project_id', idType(db), required)
    .addColumn('inventory_id', idType(db), required)
    .addColumn('host', 'varchar(250)', required)
    .addColumn('groups', 'text', required)
    .addPrimaryKeyConstraint('inventory_hosts_key', ['inventory_id', 'host'])
    .addForeignKeyConstraint(
      'inventory_hosts_inventory',
      ['project_id', 'inventory_id'],
      'inventories',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('inventory_hosts_by_host')
    .on('inventory_hosts')
    .columns(['project_id', 'host'])
    .execute();
  await db.schema
    .createIndex('inventory_hosts_by_inventory')
    .on('inventory_hosts')
    .columns(['project_id', 'inventory_id'])
    .execute();
}

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
