import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { required } from '../row.ts';

export const callCounts: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('call_counts')
      .addColumn('key', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('calls', 'integer', required)
      .addColumn('ends', 'varchar(24)', required)
      .execute();
  },
};
