import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially, required } from '../row.ts';

/** Second factors with their recovery codes, and the counts of wrong attempts to sign in. */
export const secondFactor: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('users').addColumn('second_factor_secret', 'text').execute();
    await db.schema.alterTable('users').addColumn('second_factor_since', 'varchar(24)').execute();
    await db.schema
      .alterTable('users')
      .addColumn('second_factor_step', 'integer', initially(0))
      .execute();
    await db.schema
      .createTable('recovery_codes')
      .addColumn('user_id', idType(db), (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('code_hash', 'varchar(64)', required)
      .addPrimaryKeyConstraint('recovery_codes_of_user', ['user_id', 'code_hash'])
      .execute();
    await db.schema
      .createTable('sign_in_attempts')
      .addColumn('account', 'varchar(80)', (column) => column.notNull().primaryKey())
      .addColumn('count', 'integer', required)
      .addColumn('since', 'varchar(24)', required)
      .execute();
  },
};
