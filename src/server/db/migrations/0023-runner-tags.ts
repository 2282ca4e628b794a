import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

export const runnerTags: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('runners').addColumn('tags', 'text', initially('[]')).execute();
    for (const table of ['projects', 'templates']) {
      await db.schema.alterTable(table).addColumn('runner_tags', 'text', initially('[]')).execute();
    }
  },
};
