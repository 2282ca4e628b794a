import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

export const userRevision: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('users').addColumn('revision', 'integer', initially(1)).execute();
  },
};
