import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesType, idType, required } from '../row.ts';

/** What the plan of a task does: its counts for lists, and each resource. */
export const taskPlans: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('tasks').addColumn('plan', 'text').execute();
    await db.schema
      .createTable('task_plans')
      .addColumn('task_id', idType(db), (column) =>
        column.notNull().primaryKey().references('tasks.id').onDelete('cascade'),
      )
      .addColumn('is_complete', 'integer', required)
      .addColumn('data', bytesType(db), required)
      .execute();
  },
};
