import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, required } from '../row.ts';

export const events: Migration = {
  async up(db: Kysely<never>) {
    await idColumn(db, db.schema.createTable('events'))
      .addColumn('created', 'varchar(24)', required)
      .addColumn('code', 'varchar(50)', required)
      .addColumn('params', 'text', required)
      .addColumn('project_id', idType(db), (column) =>
        column.references('projects.id').onDelete('cascade'),
      )
      .addColumn('user_id', idType(db), (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .addColumn('username', 'varchar(255)', required)
      .addColumn('via', 'varchar(20)', required)
      .addColumn('via_id', idType(db))
      .addColumn('ip', 'varchar(64)', required)
      .addColumn('object_type', 'varchar(40)', required)
      .addColumn('object_id', idType(db))
      .addColumn('object_name', 'text', required)
      .execute();
    const indexes = {
      project: ['project_id', 'id'],
      user: ['user_id', 'id'],
      created: ['created'],
    };
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema.createIndex(`events_by_${name}`).on('events').columns(columns).execute();
    }
    // The schedule or integration that launched the task. The task stays when it is deleted.
    await db.schema.alterTable('tasks').addColumn('schedule_id', idType(db)).execute();
    await db.schema.alterTable('tasks').addColumn('integration_id', idType(db)).execute();
  },
};
