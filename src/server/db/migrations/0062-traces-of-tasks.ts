import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the trace of a task needs beside its other times. */
export const tracesOfTasks: Migration = {
  async up(db: Kysely<never>) {
    for (const name of ['traceparent', 'marks']) {
      await db.schema.alterTable('tasks').addColumn(name, 'text').execute();
    }
  },
};
