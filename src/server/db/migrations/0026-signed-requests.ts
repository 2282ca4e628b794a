import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idType, required } from '../row.ts';

export const signedRequests: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('integration_signed')
      .addColumn('project_id', idType(db), required)
      .addColumn('integration_id', idType(db), required)
      .addColumn('signed', 'varchar(64)', required)
      .addColumn('created', 'varchar(24)', required)
      .addPrimaryKeyConstraint('integration_signed_primary', ['integration_id', 'signed'])
      .addForeignKeyConstraint(
        'integration_signed_integration',
        ['project_id', 'integration_id'],
        'integrations',
        ['project_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
  },
};
