import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { runStatements } from './statements.ts';

const counts = ['ok', 'changed', 'unreachable', 'failed', 'skipped', 'rescued', 'ignored'];

/** The results of each host of a run, and what a run tells of its plays and tasks. */
export const runResults: Migration = {
  async up(db: Kysely<never>) {
    await runStatements(db, tables);
    await copyHosts(db);
  },
};

const tables = `
  create table task_hosts (
    task_id {int64} not null references tasks (id) on delete cascade,
    project_id {int64} not null,
    host varchar(250) not null,
    begin varchar(24),
    "end" varchar(24),
    duration_ms integer default 0 not null,
    first_failure text,
    ok integer not null,
    changed integer not null,
    unreachable integer not null,
    failed integer not null,
    skipped integer not null,
    rescued integer not null,
    ignored integer not null,
    constraint task_hosts_key primary key (task_id, host)
  );
  create index task_hosts_by_host on task_hosts (project_id, host, task_id);
  create table task_result_chunks (
    task_id {int64} not null references tasks (id) on delete cascade,
    first_result integer not null,
    results integer not null,
    first_section integer not null,
    last_section integer not null,
    bytes integer not null,
    data {bytes} not null,
    constraint task_result_chunks_key primary key (task_id, first_result)
  );
  alter table tasks add column results integer default 0 not null;
  alter table tasks add column failures text;
  alter table task_sections add column first integer default 0 not null;
  alter table task_sections add column module text default '' not null;
  alter table task_sections add column role text default '' not null;
  alter table task_sections add column path text;
  alter table task_sections add column file_line integer;
  alter table task_sections add column begin varchar(24);
  alter table task_sections add column "end" varchar(24);
  update task_sections set first = number
`;

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
