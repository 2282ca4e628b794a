import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, required } from '../row.ts';

/** What tasks hand on; an id of its own binds the sealed secrets to the row. */
export const taskOutputs: Migration = {
  async up(db: Kysely<never>) {
    await idColumn(db, db.schema.createTable('task_outputs'))
      .addColumn('task_id', idType(db), (column) =>
        column.notNull().unique().references('tasks.id').onDelete('cascade'),
      )
      .addColumn('project_id', idType(db), required)
      .addColumn('outputs', 'text', required)
      .addColumn('secrets', 'text')
      .execute();
  },
};
