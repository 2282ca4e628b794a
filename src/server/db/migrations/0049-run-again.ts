import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially } from '../row.ts';

/** Tasks that run again on some hosts of an earlier one. */
export const runAgain: Migration = {
  async up(db: Kysely<never>) {
    const { schema } = db;
    await schema
      .alterTable('tasks')
      .addColumn('rerun_of', idType(db), (column) =>
        column.references('tasks.id').onDelete('set null'),
      )
      .execute();
    await schema.alterTable('tasks').addColumn('only_hosts', 'text').execute();
    // The deletion of a task searches for rows that refer to it.
    await schema.createIndex('tasks_by_rerun_of').on('tasks').columns(['rerun_of']).execute();
    await schema
      .alterTable('templates')
      .addColumn('retry_failed_hosts', 'integer', initially(0))
      .execute();
  },
};
