import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/** Where a task runs, or has run; it stays when that server is forgotten. */
export const runnerName: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('tasks')
      .addColumn('runner_name', 'varchar(255)', initially(''))
      .execute();
    // What had begun before on a server that is alone keeps no name.
    await sql`update tasks set runner_name =
      coalesce((select name from runners where runners.id = tasks.runner_id), '')
      where runner_id is not null`.execute(db);
  },
};
