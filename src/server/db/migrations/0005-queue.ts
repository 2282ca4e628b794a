import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, initially } from '../row.ts';

export const queue: Migration = {
  async up(db: Kysely<never>) {
    const { schema } = db;
    await schema
      .alterTable('templates')
      .addColumn('retry_delay_s', 'integer', initially(10))
      .execute();
    await schema
      .alterTable('tasks')
      .addColumn('retry_of', idType(db), (column) =>
        column.references('tasks.id').onDelete('set null'),
      )
      .execute();
    await schema.alterTable('tasks').addColumn('attempt', 'integer', initially(1)).execute();
    await schema.alterTable('tasks').addColumn('attempts', 'integer', initially(1)).execute();
    await schema.alterTable('tasks').addColumn('not_before', 'varchar(24)').execute();
    await schema.alterTable('tasks').addColumn('log_bytes', idType(db), initially(0)).execute();
    await schema.alterTable('tasks').addColumn('log_removed', 'integer', initially(0)).execute();
    await sql`update tasks set log_bytes = coalesce((
      select sum(length(data)) from task_log_chunks where task_id = tasks.id), 0)`.execute(db);
    // Contains everything that the queue needs to know of a task that it does not take.
    await schema.dropIndex('tasks_by_status_id').execute();
    await schema
      .createIndex('tasks_by_queue')
      .on('tasks')
      .columns(['status', 'project_id', 'template_id', 'not_before', 'id'])
      .execute();
    // The deletion of a task searches for rows that refer to it.
    for (const column of ['build_task_id', 'retry_of']) {
      await schema.createIndex(`tasks_by_${column}`).on('tasks').columns([column]).execute();
    }
    await schema.createIndex('tasks_by_log_bytes').on('tasks').columns(['log_bytes']).execute();
  },
};
