import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

export const views: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('views').addColumn('revision', 'integer', initially(1)).execute();
    await db.schema
      .createIndex('views_title')
      .on('views')
      .columns(['project_id', 'title'])
      .unique()
      .execute();
  },
};
