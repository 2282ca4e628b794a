import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Dry runs are neither the base of comparisons nor counted by the dashboard. */
export const dryRuns: Migration = {
  async up(db: Kysely<never>) {
    const { schema } = db;
    for (const name of ['tasks_by_success', 'tasks_by_end']) await schema.dropIndex(name).execute();
    // Only successful runs, so that a template that fails for weeks is not read back to its beginning.
    await sql`create index tasks_by_success on tasks (template_id, inventory_id, id)
      where status = 'success' and dry_run = 0`.execute(db);
    await schema
      .createIndex('tasks_by_end')
      .on('tasks')
      .columns(['project_id', 'status', 'end', 'template_id', 'start', 'dry_run'])
      .execute();
  },
};
