import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesType, idType, initially, required } from '../row.ts';

const counts = ['ok', 'changed', 'unreachable', 'failed', 'skipped', 'rescued', 'ignored'];

/** The results of each host of a run, and what a run tells of its plays and tasks. */
export const runResults: Migration = {
  async up(db: Kysely<never>) {
    await hosts(db);
    await db.schema
      .createTable('task_result_chunks')
      .addColumn('task_id', idType(db), (column) =>
        column.notNull().references('tasks.id').onDelete('cascade'),
      )
      .addColumn('first_result', 'integer', required)
      .addColumn('results', 'integer', required)
      .addColumn('first_section', 'integer', required)
      .addColumn('last_section', 'integer', required)
      .addColumn('bytes', 'integer', required)
      .addColumn('data', bytesType(db), required)
      .addPrimaryKeyConstraint('task_result_chunks_key', ['task_id', 'first_result'])
      .execute();
    await tasks(db);
    await sections(db);
  },
};

async function hosts(db: Kysely<never>): Promise<void> {
  const table = db.schema
    .createTable('task_hosts')
    .addColumn('task_id', idType(db), (column) =>
      column.notNull().references('tasks.id').onDelete('cascade'),
    )
    .addColumn('project_id', idType(db), required)
    .addColumn('host', 'varchar(250)', required)
    .addColumn('begin', 'varchar(24)')
    .addColumn('end', 'varchar(24)')
    .addColumn('duration_ms', 'integer', initially(0))
    .addColumn('first_failure', 'text')
    .addPrimaryKeyConstraint('task_hosts_key', ['task_id', 'host']);
  const whole = counts.reduce((all, name) => all.addColumn(name, 'integer', required), table);
  await whole.execute();
  await db.schema
    .createIndex('task_hosts_by_host')
    .on('task_hosts')
    .columns(['project_id', 'host', 'task_id'])
    .execute();
  await copyHosts(db);
}

const tasksAtOnce = 500;
const rowsAtOnce = 200;

interface OldTask {
  id: number;
  project_id: number;
  hosts: string;
}

/** Earlier versions kept the hosts of a task as JSON in its row, where their servers still read them. */
async function copyHosts(db: Kysely<never>): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await sql<OldTask>`
      select id, project_id, hosts from tasks
      where id > ${after} and hosts is not null order by id limit ${tasksAtOnce}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    await insertHosts(db, rows.flatMap(rowsOf));
    after = last.id;
  }
}

type HostRow = { task_id: number; project_id: number; host: string } & Record<string, unknown>;

function rowsOf({ id, project_id, hosts: text }: OldTask): HostRow[] {
  const all = JSON.parse(text) as ({ host: string } & Record<string, number>)[];
  const byName = new Map(
    all.map((one) => [one.host.slice(0, 250).replaceAll('\0', '\uFFFD'), one]),
  );
  return [...byName].map(([host, one]) => ({
    task_id: id,
    project_id,
    host,
    ...Object.fromEntries(counts.map((name) => [name, one[name] ?? 0])),
  }));
}

async function insertHosts(db: Kysely<never>, rows: HostRow[]): Promise<void> {
  const into = db as unknown as Kysely<{ task_hosts: HostRow }>;
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await into
      .insertInto('task_hosts')
      .values(rows.slice(at, at + rowsAtOnce))
      .execute();
  }
}

async function tasks(db: Kysely<never>): Promise<void> {
  const change = () => db.schema.alterTable('tasks');
  await change().addColumn('results', 'integer', initially(0)).execute();
  await change().addColumn('failures', 'text').execute();
}

async function sections(db: Kysely<never>): Promise<void> {
  const change = () => db.schema.alterTable('task_sections');
  await change().addColumn('first', 'integer', initially(0)).execute();
  await change().addColumn('module', 'text', initially('')).execute();
  await change().addColumn('role', 'text', initially('')).execute();
  await change().addColumn('path', 'text').execute();
  await change().addColumn('file_line', 'integer').execute();
  await change().addColumn('begin', 'varchar(24)').execute();
  await change().addColumn('end', 'varchar(24)').execute();
  await sql`update task_sections set first = number`.execute(db);
}
