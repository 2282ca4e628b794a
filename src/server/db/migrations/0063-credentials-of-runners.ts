import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Every request of a remote runner is recognised by its credential. */
export const credentialsOfRunners: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createIndex('runners_by_credential')
      .on('runners')
      .columns(['credential'])
      .execute();
  },
};
