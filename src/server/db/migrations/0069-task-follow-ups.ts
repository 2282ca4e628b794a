import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially, required } from '../row.ts';

/** What still has to follow from the ends of tasks. */
export const taskFollowUps: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('task_follow_ups')
      .addColumn('task_id', idType(db), (column) =>
        column.notNull().primaryKey().references('tasks.id').onDelete('cascade'),
      )
      .addColumn('due', 'varchar(24)', required)
      .addColumn('done', 'text', initially(''))
      .addColumn('attempts', 'integer', initially(0))
      .addColumn('error', 'text')
      .execute();
    await db.schema
      .createIndex('task_follow_ups_due')
      .on('task_follow_ups')
      .columns(['due'])
      .execute();
  },
};
