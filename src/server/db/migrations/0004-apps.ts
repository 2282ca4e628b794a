import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { initially, required } from '../row.ts';

const added: [table: string, column: string][] = [
  ['templates', 'auto_approve'],
  ['templates', 'allow_auto_approve_in_task'],
  ['tasks', 'auto_approve'],
  ['tasks', 'step'],
];

export const apps: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('apps')
      .addColumn('id', 'varchar(50)', (column) => column.primaryKey())
      .addColumn('title', 'varchar(100)', required)
      .addColumn('active', 'integer', required)
      .addColumn('priority', 'integer', required)
      .addColumn('icon', 'varchar(100)', required)
      .addColumn('color', 'varchar(50)', required)
      .addColumn('dark_color', 'varchar(50)', required)
      .addColumn('path', 'text', required)
      .addColumn('args', 'text', required)
      .execute();
    for (const [table, column] of added) {
      await db.schema.alterTable(table).addColumn(column, 'integer', initially(0)).execute();
    }
    await db.schema.alterTable('tasks').addColumn('commands', 'text', initially('[]')).execute();
  },
};
