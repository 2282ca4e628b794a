import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, required } from '../row.ts';

export const tokens: Migration = {
  async up(db: Kysely<never>) {
    await idColumn(db, db.schema.createTable('tokens'))
      .addColumn('user_id', idType(db), (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('name', 'varchar(100)', required)
      .addColumn('scope', 'varchar(10)', required)
      .addColumn('project_id', idType(db), (column) =>
        column.references('projects.id').onDelete('cascade'),
      )
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('hint', 'varchar(20)', required)
      .addColumn('created', 'varchar(24)', required)
      .addColumn('expires', 'varchar(24)')
      .addColumn('last_used', 'varchar(24)')
      .execute();
    for (const column of ['user_id', 'project_id']) {
      await db.schema.createIndex(`tokens_by_${column}`).on('tokens').columns([column]).execute();
    }
  },
};
