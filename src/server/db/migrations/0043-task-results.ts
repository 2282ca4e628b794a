import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, required } from '../row.ts';

const counts = ['ok', 'changed', 'skipped', 'failed', 'unreachable', 'ignored', 'rescued'];

/** How the last command of a task has ended, why the task failed, and its plays and tasks. */
export const taskResults: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('tasks').addColumn('exit_code', 'integer').execute();
    await db.schema.alterTable('tasks').addColumn('failure', 'text').execute();
    const table = db.schema
      .createTable('task_sections')
      .addColumn('task_id', idType(db), (column) =>
        column.notNull().references('tasks.id').onDelete('cascade'),
      )
      .addColumn('number', 'integer', required)
      .addColumn('line', 'integer', required)
      .addColumn('kind', 'varchar(10)', required)
      .addColumn('name', 'text', required)
      .addPrimaryKeyConstraint('task_sections_key', ['task_id', 'number']);
    const whole = counts.reduce((all, name) => all.addColumn(name, 'integer', required), table);
    await whole.execute();
  },
};
