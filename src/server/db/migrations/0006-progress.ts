import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const progress: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('tasks').addColumn('expected_s', 'integer').execute();
    await db.schema.alterTable('tasks').addColumn('progress', 'text').execute();
    await db.schema.alterTable('tasks').addColumn('hosts', 'text').execute();
  },
};
