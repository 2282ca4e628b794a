import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, isSqlite, required } from '../row.ts';

/** Schedules and integrations start workflows, and runs say what has started them. */
export const startsOfWorkflows: Migration = {
  async up(db: Kysely<never>) {
    await (isSqlite(db) ? rebuildSchedules(db) : changeSchedules(db));
    await indexSchedules(db);
    await refer(db, 'integrations', 'workflow_id', 'workflows');
    await changeRuns(db);
    for (const table of ['schedule_fires', 'integration_deliveries']) {
      await refer(db, table, 'workflow_run_id', 'workflow_runs', 'set null');
    }
  },
};

const ofWorkflow = [
  'schedules_workflow',
  ['project_id', 'workflow_id'],
  'workflows',
  ['project_id', 'id'],
] as const;

async function changeSchedules({ schema }: Kysely<never>): Promise<void> {
  const [name, from, table, to] = ofWorkflow;
  await schema
    .alterTable('schedules')
    .alterColumn('template_id', (column) => column.dropNotNull())
    .execute();
  await schema.alterTable('schedules').addColumn('workflow_id', 'bigint').execute();
  await schema
    .alterTable('schedules')
    .addForeignKeyConstraint(name, [...from], table, [...to])
    .execute();
}

/**
 * SQLite cannot make a column optional, so the table is written again. The rows of due times, which
 * disappear with the old table, are kept meanwhile.
 */
async function rebuildSchedules(db: Kysely<never>): Promise<void> {
  await createSchedules(db);
  await sql`insert into schedules_new (${sql.raw(kept)}) select ${sql.raw(kept)} from schedules`.execute(
    db,
  );
  // No id is used again, also not that of a schedule that was deleted.
  await sql`delete from sqlite_sequence where name = 'schedules_new'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq)
    select 'schedules_new', seq from sqlite_sequence where name = 'schedules'`.execute(db);
  await sql`create table kept_fires as select * from schedule_fires`.execute(db);
  await sql`drop table schedules`.execute(db);
  await sql`alter table schedules_new rename to schedules`.execute(db);
  await sql`insert into schedule_fires select * from kept_fires`.execute(db);
  await sql`drop table kept_fires`.execute(db);
}

const kept = `id, project_id, template_id, name, cron_format, time_zone, active, repository_id, missed,
  next_due, last_commit, revision, task_params, inventory_id, type, run_at, delete_after_run`;

async function createSchedules(db: Kysely<never>): Promise<void> {
  const [workflow, ofSchedule, workflows, ofProject] = ofWorkflow;
  await idColumn(db, db.schema.createTable('schedules_new'))
    .addColumn('project_id', 'integer', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('template_id', 'integer')
    .addColumn('workflow_id', 'integer')
    .addColumn('name', 'varchar(100)', required)
    .addColumn('cron_format', 'varchar(255)', required)
    .addColumn('time_zone', 'varchar(64)', required)
    .addColumn('active', 'integer', required)
    .addColumn('repository_id', 'integer')
    .addColumn('missed', 'varchar(10)', required)
    .addColumn('next_due', 'varchar(24)')
    .addColumn('last_commit', 'varchar(64)')
    .addColumn('revision', 'integer', initially(1))
    .addColumn('task_params', 'text')
    .addColumn('inventory_id', 'integer', (column) => column.references('inventories.id'))
    .addColumn('type', 'varchar(10)', initially(''))
    .addColumn('run_at', 'varchar(24)')
    .addColumn('delete_after_run', 'integer', initially(0))
    .addForeignKeyConstraint(
      'schedules_template',
      ['project_id', 'template_id'],
      'templates',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint(workflow, [...ofSchedule], workflows, [...ofProject])
    .addForeignKeyConstraint(
      'schedules_repository',
      ['project_id', 'repository_id'],
      'repositories',
      ['project_id', 'id'],
    )
    .execute();
}

/** The table that was written again has none of its indexes; PostgreSQL lacks the last one only. */
async function indexSchedules({ schema }: Kysely<never>): Promise<void> {
  const indexes: [name: string, columns: string[]][] = [
    ['schedules_by_next_due', ['next_due']],
    ['schedules_by_template', ['project_id', 'template_id']],
    ['schedules_by_inventory_id', ['inventory_id']],
    ['schedules_by_workflow', ['project_id', 'workflow_id']],
  ];
  for (const [name, columns] of indexes) {
    await schema.createIndex(name).ifNotExists().on('schedules').columns(columns).execute();
  }
}

/** Runs with what has started them, and the values that came with it, which are sealed. */
async function changeRuns(db: Kysely<never>): Promise<void> {
  await refer(db, 'workflow_runs', 'integration_id', 'integrations', 'set null');
  await db.schema
    .alterTable('workflow_runs')
    .addColumn('schedule_id', idType(db), (column) =>
      column.references('schedules.id').onDelete('set null'),
    )
    .execute();
  // Also finds the unfinished runs of a schedule.
  await sql`create index workflow_runs_by_schedule_id on workflow_runs (schedule_id, status)
    where schedule_id is not null`.execute(db);
  await db.schema.alterTable('workflow_runs').addColumn('extracted', 'text').execute();
}

/** Adds a column that refers to another table, with the index that deletions there need. */
async function refer(
  db: Kysely<never>,
  table: string,
  column: string,
  ...[other, onDelete = 'no action']: [other: string, onDelete?: 'no action' | 'set null']
): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(column, idType(db), (one) => one.references(`${other}.id`).onDelete(onDelete))
    .execute();
  await sql`create index ${sql.ref(`${table}_by_${column}`)} on ${sql.table(table)}
    (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db);
}
