import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially } from '../row.ts';

/**
 * The name of the server on which a task runs or has run; it stays when that server is forgotten.
 */
export const runnerName: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('tasks')
      .addColumn('runner_name', 'varchar(255)', initially(''))
      .execute();
    // Tasks that began earlier on the only server have no name.
    await sql`update tasks set runner_name =
      coalesce((select name from runners where runners.id = tasks.runner_id), '')
      where runner_id is not null`.execute(db);
  },
};
