import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** The folder of the repository in which the programs of a template start. */
export const workingDirectory: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('templates')
      .addColumn('working_directory', 'varchar(255)', initially(''))
      .execute();
  },
};
