import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially } from '../row.ts';

/** Launch options of schedules, and how verbose a task is. */
export const taskParams: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('tasks').addColumn('debug_level', 'integer', initially(0)).execute();
    await db.schema.alterTable('schedules').addColumn('task_params', 'text').execute();
    await db.schema
      .alterTable('schedules')
      .addColumn('inventory_id', idType(db), (column) => column.references('inventories.id'))
      .execute();
    await db.schema
      .createIndex('schedules_by_inventory_id')
      .on('schedules')
      .column('inventory_id')
      .execute();
  },
};
