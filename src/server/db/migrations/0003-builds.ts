import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType } from '../row.ts';

export const builds: Migration = {
  async up(db: Kysely<never>) {
    // Two builds never share a version; tasks without a version do not count.
    await db.schema
      .createIndex('tasks_version')
      .on('tasks')
      .columns(['template_id', 'version'])
      .unique()
      .execute();
    await db.schema
      .alterTable('tasks')
      .addColumn('confirmed_by', idType(db), (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .execute();
    await db.schema.alterTable('tasks').addColumn('confirmed_at', 'varchar(24)').execute();
  },
};
