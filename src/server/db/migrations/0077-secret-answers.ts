import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The names of the secret answers with which a task was launched; null: not known. */
export const secretAnswers: Migration = {
  async up(db: Kysely<never>) {
    await db.schema.alterTable('tasks').addColumn('secret_answers', 'text').execute();
  },
};
