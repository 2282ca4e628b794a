import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** Whether a project keeps the home folder of its runs. */
export const keepHome: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('projects')
      .addColumn('keep_home', 'integer', initially(0))
      .execute();
  },
};
