import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When somebody has last asked a runner to clear what it keeps for later runs. */
export const clearCache: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('runners').addColumn('cleaning_requested', 'varchar(30)').execute();
  },
};
