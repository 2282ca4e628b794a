import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

export const schedules: Migration = {
  async up(db: Kysely<never>) {
    await addSchedules(db);
    await addFires(db);
  },
};

async function addSchedules(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await idColumn(db, schema.createTable('schedules'))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('template_id', idType(db), required)
    .addColumn('name', 'varchar(100)', required)
    .addColumn('cron_format', 'varchar(255)', required)
    .addColumn('time_zone', 'varchar(64)', required)
    .addColumn('active', 'integer', required)
    .addColumn('repository_id', idType(db))
    .addColumn('missed', 'varchar(10)', required)
    .addColumn('next_due', 'varchar(24)')
    .addColumn('last_commit', 'varchar(64)')
    .addColumn('revision', 'integer', initially(1))
    .addForeignKeyConstraint(
      'schedules_template',
      ['project_id', 'template_id'],
      'templates',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint(
      'schedules_repository',
      ['project_id', 'repository_id'],
      'repositories',
      ['project_id', 'id'],
    )
    .execute();
  await schema.createIndex('schedules_by_next_due').on('schedules').columns(['next_due']).execute();
  await schema
    .createIndex('schedules_by_template')
    .on('schedules')
    .columns(['project_id', 'template_id'])
    .execute();
}

async function addFires(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await idColumn(db, schema.createTable('schedule_fires'))
    .addColumn('schedule_id', idType(db), (column) =>
      column.notNull().references('schedules.id').onDelete('cascade'),
    )
    .addColumn('due', 'varchar(24)', required)
    .addColumn('noticed', 'varchar(24)', required)
    .addColumn('result', 'varchar(10)', required)
    .addColumn('reason', 'varchar(30)')
    .addColumn('task_id', idType(db), (column) =>
      column.references('tasks.id').onDelete('set null'),
    )
    .addColumn('commit_hash', 'varchar(64)')
    .addColumn('code', 'varchar(100)')
    .addColumn('params', 'text', initially('{}'))
    .addColumn('error', 'text')
    .addColumn('count', 'integer', initially(1))
    // A due time is handled once, by whichever server, and whatever the clock says.
    .addUniqueConstraint('schedule_fires_due', ['schedule_id', 'due'])
    .execute();
  await schema
    .createIndex('schedule_fires_by_schedule_id_id')
    .on('schedule_fires')
    .columns(['schedule_id', 'id'])
    .execute();
  await schema
    .createIndex('schedule_fires_by_result')
    .on('schedule_fires')
    .columns(['result', 'noticed'])
    .execute();
  // The deletion of a task searches for rows that refer to it.
  await schema
    .createIndex('schedule_fires_by_task_id')
    .on('schedule_fires')
    .columns(['task_id'])
    .execute();
}
