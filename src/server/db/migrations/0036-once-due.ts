import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** Schedules that are due once. */
export const onceDue: Migration = {
  async up({ schema }: Kysely<never>) {
    const table = () => schema.alterTable('schedules');
    await table().addColumn('type', 'varchar(10)', initially('')).execute();
    await table().addColumn('run_at', 'varchar(24)').execute();
    await table().addColumn('delete_after_run', 'integer', initially(0)).execute();
  },
};
