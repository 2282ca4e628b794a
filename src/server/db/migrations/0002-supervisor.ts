import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially } from '../row.ts';

export const supervisor: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('tasks')
      .addColumn('spool_offset', idType(db), initially(0))
      .execute();
  },
};
