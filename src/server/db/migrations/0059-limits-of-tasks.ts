import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** What the programs of the tasks of a template may use. */
export const limitsOfTasks: Migration = {
  async up(db: Kysely<never>) {
    for (const name of ['memory_limit_mib', 'cpu_limit_percent', 'process_limit']) {
      await db.schema.alterTable('templates').addColumn(name, 'integer', initially(0)).execute();
    }
  },
};
