import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the numbers of the dashboard are counted from, so that nothing else has to be read. */
export const stats: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createIndex('tasks_by_end')
      .on('tasks')
      .columns(['project_id', 'status', 'end', 'template_id', 'start'])
      .execute();
  },
};
