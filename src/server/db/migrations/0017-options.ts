import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { required } from '../row.ts';

export const options: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('options')
      .addColumn('key', 'varchar(255)', (column) => column.primaryKey().notNull())
      .addColumn('value', 'text', required)
      .execute();
  },
};
