import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

type Schema = Kysely<never>;

export const alerts: Migration = {
  async up(db: Schema) {
    await channels(db);
    await deliveries(db);
    // Finds the end of the task before, to recognise a success after a failure.
    await index(db, 'tasks', ['template_id', 'end']);
  },
};

async function channels(db: Schema): Promise<void> {
  await idColumn(db, db.schema.createTable('alert_channels'))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'varchar(255)', required)
    .addColumn('revision', 'integer', initially(1))
    .addColumn('type', 'varchar(20)', required)
    .addColumn('active', 'integer', required)
    .addColumn('events', 'text', required)
    .addColumn('addresses', 'text', required)
    .addColumn('chat', 'varchar(100)', required)
    .addColumn('host', 'text')
    .addColumn('address', 'text')
    .addColumn('secret', 'text')
    .addUniqueConstraint('alert_channels_name', ['project_id', 'name'])
    .addUniqueConstraint('alert_channels_project', ['project_id', 'id'])
    .execute();
  await db.schema
    .createTable('alert_channel_templates')
    .addColumn('project_id', idType(db), required)
    .addColumn('channel_id', idType(db), required)
    .addColumn('template_id', idType(db), required)
    .addPrimaryKeyConstraint('alert_channel_templates_key', ['channel_id', 'template_id'])
    .addForeignKeyConstraint(
      'alert_channel_templates_channel',
      ['project_id', 'channel_id'],
      'alert_channels',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    // A channel that lost the last of its templates would otherwise apply to all templates.
    .addForeignKeyConstraint(
      'alert_channel_templates_template',
      ['project_id', 'template_id'],
      'templates',
      ['project_id', 'id'],
    )
    .execute();
  await index(db, 'alert_channel_templates', ['template_id']);
}

async function deliveries(db: Schema): Promise<void> {
  await idColumn(db, db.schema.createTable('alert_deliveries'))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    // Without foreign keys: an alert outlives its task and its recipient, and a deletion at the
    // same moment does not prevent a task from ending.
    .addColumn('task_id', idType(db), required)
    .addColumn('event', 'varchar(20)', required)
    .addColumn('recipient', 'varchar(40)', required)
    .addColumn('channel_id', idType(db))
    .addColumn('user_id', idType(db), (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('alert', 'text', required)
    .addColumn('status', 'varchar(10)', required)
    .addColumn('attempts', 'integer', initially(0))
    .addColumn('answer_status', 'integer')
    .addColumn('error', 'varchar(40)')
    .addColumn('created', 'varchar(24)', required)
    .addColumn('sent', 'varchar(24)')
    .addColumn('next_try', 'varchar(24)')
    .addUniqueConstraint('alert_deliveries_once', ['task_id', 'event', 'recipient'])
    .execute();
  await index(db, 'alert_deliveries', ['project_id', 'id']);
  await index(db, 'alert_deliveries', ['channel_id', 'id']);
  await index(db, 'alert_deliveries', ['status', 'next_try']);
}

async function index(db: Schema, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
    .execute();
}
