import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** Why a plan waits for a person, and which templates come from a backup, which has no states. */
export const restoredTemplates: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('tasks').addColumn('confirmation_reason', 'text').execute();
    await db.schema
      .alterTable('templates')
      .addColumn('restored', 'integer', initially(0))
      .execute();
  },
};
