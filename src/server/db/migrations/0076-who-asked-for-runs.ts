import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType } from '../row.ts';

/** Who is behind a run that a schedule or an integration launches, so that it is not approved alone. */
export const whoAskedForRuns: Migration = {
  async up(db: Kysely<never>) {
    const { schema } = db;
    for (const table of ['schedules', 'integrations']) {
      await schema.alterTable(table).addColumn('changed_by', idType(db)).execute();
    }
    await schema.alterTable('workflow_runs').addColumn('requested_by', idType(db)).execute();
  },
};
