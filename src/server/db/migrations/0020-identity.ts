import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

export const identity: Migration = {
  async up(db: Kysely<never>) {
    await addTables(db);
    await db.schema.alterTable('sessions').addColumn('provider', 'varchar(64)').execute();
    // Sealed; it is used only to end the session at the provider too.
    await db.schema.alterTable('sessions').addColumn('id_token', 'text').execute();
    await db.schema
      .alterTable('members')
      .addColumn('from_rules', 'integer', initially(0))
      .execute();
    await db.schema
      .alterTable('users')
      .addColumn('admin_from_rules', 'integer', initially(0))
      .execute();
  },
};

async function addTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('user_identities')
    .addColumn('provider', 'varchar(64)', required)
    .addColumn('subject', 'varchar(255)', required)
    .addColumn('user_id', idType(db), (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('verified', 'integer', required)
    .addColumn('created', 'varchar(24)', required)
    .addPrimaryKeyConstraint('user_identities_pk', ['provider', 'subject'])
    .execute();
  await db.schema
    .createIndex('user_identities_by_user')
    .on('user_identities')
    .columns(['user_id'])
    .execute();
  await db.schema
    .createTable('oidc_states')
    .addColumn('state_hash', 'varchar(64)', (column) => column.notNull().primaryKey())
    .addColumn('browser_hash', 'varchar(64)', required)
    .addColumn('provider', 'varchar(64)', required)
    .addColumn('page', 'text', required)
    .addColumn('expires', 'varchar(24)', required)
    .execute();
  await db.schema
    .createIndex('oidc_states_by_expires')
    .on('oidc_states')
    .columns(['expires'])
    .execute();
  await idColumn(db, db.schema.createTable('group_rules'))
    .addColumn('source', 'varchar(64)', required)
    .addColumn('claim', 'varchar(255)', required)
    .addColumn('pattern', 'varchar(1000)', required)
    .addColumn('project_id', idType(db), (column) =>
      column.references('projects.id').onDelete('cascade'),
    )
    .addColumn('role', 'varchar(20)')
    .addColumn('position', 'integer', required)
    .execute();
  await db.schema
    .createIndex('group_rules_by_project')
    .on('group_rules')
    .columns(['project_id'])
    .execute();
}
