import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** Whether the disk of a runner has too little free space for new tasks. */
export const roomOfRunners: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('runners')
      .addColumn('out_of_room', 'integer', initially(0))
      .execute();
  },
};
