import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether a plan covers all of its configuration; null: a program that does not say, or an earlier version. */
export const wholePlans: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('task_plans').addColumn('is_whole', 'integer').execute();
  },
};
