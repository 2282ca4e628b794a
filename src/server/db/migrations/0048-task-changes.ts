import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a task ran with, so that it can be compared with the last task that succeeded. */
export const taskChanges: Migration = {
  async up(db: Kysely<never>) {
    for (const table of ['keys', 'environment_secrets']) {
      await db.schema.alterTable(table).addColumn('secret_set', 'varchar(24)').execute();
    }
    await db.schema.alterTable('tasks').addColumn('tools', 'text').execute();
    await db.schema.alterTable('tasks').addColumn('used_secrets', 'text').execute();
    // Only successful tasks, so that a template that fails for weeks is not read back to its beginning.
    await sql`create index tasks_by_success on tasks (template_id, inventory_id, id)
      where status = 'success'`.execute(db);
  },
};
