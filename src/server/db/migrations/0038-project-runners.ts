import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially } from '../row.ts';

/** Runners of one project, and how many tasks a runner is given at once. */
export const projectRunners: Migration = {
  async up(db: Kysely<never>) {
    const alter = () => db.schema.alterTable('runners');
    await alter()
      .addColumn('project_id', idType(db), (column) =>
        column.references('projects.id').onDelete('cascade'),
      )
      .execute();
    await alter().addColumn('most_tasks', 'integer', initially(0)).execute();
    await db.schema
      .createIndex('runners_by_project_id')
      .on('runners')
      .column('project_id')
      .execute();
  },
};
