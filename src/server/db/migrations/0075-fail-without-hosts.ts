import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** Templates that exist already go on as before. */
export const failWithoutHosts: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('templates')
      .addColumn('fail_without_hosts', 'integer', initially(0))
      .execute();
  },
};
