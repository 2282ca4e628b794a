import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, isSqlite, required } from '../row.ts';

/**
 * Templates with several environments, with vault passwords that a script prints, and with variables
 * outside of their survey.
 */
export const templateOptions: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('templates')
      .addColumn('allow_any_variable_in_task', 'integer', initially(0))
      .execute();
    await addEnvironments(db);
    await addScripts(db);
  },
};

/** The environments of a template behind its first one, which stays a column of the template. */
async function addEnvironments(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('template_environments')
    .addColumn('project_id', idType(db), required)
    .addColumn('template_id', idType(db), required)
    .addColumn('environment_id', idType(db), required)
    .addColumn('position', 'integer', required)
    .addPrimaryKeyConstraint('template_environments_pkey', ['template_id', 'position'])
    .addForeignKeyConstraint(
      'template_environments_template',
      ['project_id', 'template_id'],
      'templates',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint(
      'template_environments_environment',
      ['project_id', 'environment_id'],
      'environments',
      ['project_id', 'id'],
    )
    .execute();
  await db.schema
    .createIndex('template_environments_by_environment')
    .on('template_environments')
    .columns(['project_id', 'environment_id'])
    .execute();
}

/** Vaults whose password a script of the repository prints; these have no key. */
async function addScripts(db: Kysely<never>): Promise<void> {
  await (isSqlite(db) ? rebuildVaults(db) : loosenVaults(db));
  const { schema } = db;
  await schema
    .alterTable('template_vaults')
    .addColumn('type', 'varchar(10)', initially('password'))
    .execute();
  await schema.alterTable('template_vaults').addColumn('script', 'varchar(255)').execute();
}

async function loosenVaults({ schema }: Kysely<never>): Promise<void> {
  await schema
    .alterTable('template_vaults')
    .alterColumn('vault_key_id', (column) => column.dropNotNull())
    .execute();
}

// SQLite cannot change a column, so the table is built again.
async function rebuildVaults(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await idColumn(db, schema.createTable('template_vaults_new'))
    .addColumn('project_id', idType(db), required)
    .addColumn('template_id', idType(db), required)
    .addColumn('vault_key_id', idType(db))
    .addColumn('name', 'varchar(100)')
    .addForeignKeyConstraint(
      'template_vaults_template',
      ['project_id', 'template_id'],
      'templates',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint('template_vaults_key', ['project_id', 'vault_key_id'], 'keys', [
      'project_id',
      'id',
    ])
    .execute();
  await sql`insert into template_vaults_new (id, project_id, template_id, vault_key_id, name)
    select id, project_id, template_id, vault_key_id, name from template_vaults`.execute(db);
  await schema.dropTable('template_vaults').execute();
  await schema.alterTable('template_vaults_new').renameTo('template_vaults').execute();
  await schema
    .createIndex('template_vaults_by_template_id')
    .on('template_vaults')
    .columns(['template_id'])
    .execute();
}
