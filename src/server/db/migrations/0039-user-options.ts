import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, required } from '../row.ts';

/** Values that clients keep for their users. */
export const userOptions: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('user_options')
      .addColumn('user_id', idType(db), (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('key', 'varchar(255)', required)
      .addColumn('value', 'text', required)
      .addPrimaryKeyConstraint('options_of_user', ['user_id', 'key'])
      .execute();
  },
};
