import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, required } from '../row.ts';

/** The templates that users have pinned. */
export const templatePins: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('template_pins')
      .addColumn('user_id', idType(db), (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('project_id', idType(db), required)
      .addColumn('template_id', idType(db), required)
      .addPrimaryKeyConstraint('template_pins_pkey', ['user_id', 'template_id'])
      .addForeignKeyConstraint(
        'template_pins_template',
        ['project_id', 'template_id'],
        'templates',
        ['project_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await db.schema
      .createIndex('template_pins_by_template')
      .on('template_pins')
      .columns(['project_id', 'template_id'])
      .execute();
  },
};
