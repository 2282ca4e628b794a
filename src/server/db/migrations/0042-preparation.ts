import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** What is prepared before a run: the submodules of a repository, the requirements of a template. */
export const preparation: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('repositories')
      .addColumn('with_submodules', 'integer', initially(1))
      .execute();
    await db.schema
      .alterTable('templates')
      .addColumn('install_requirements', 'varchar(20)', initially('when_changed'))
      .execute();
  },
};
