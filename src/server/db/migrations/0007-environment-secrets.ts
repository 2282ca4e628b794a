import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, required } from '../row.ts';

export const environmentSecrets: Migration = {
  async up(db: Kysely<never>) {
    await idColumn(db, db.schema.createTable('environment_secrets'))
      .addColumn('project_id', idType(db), required)
      .addColumn('environment_id', idType(db), required)
      .addColumn('type', 'varchar(10)', required)
      .addColumn('name', 'varchar(255)', required)
      .addColumn('secret', 'text', required)
      .addUniqueConstraint('environment_secrets_name', ['environment_id', 'type', 'name'])
      .addForeignKeyConstraint(
        'environment_secrets_environment',
        ['project_id', 'environment_id'],
        'environments',
        ['project_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
  },
};
