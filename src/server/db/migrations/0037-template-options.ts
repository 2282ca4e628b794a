import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

/**
 * Templates with several environments, with vault passwords that a script prints, and with
 * variables beside their survey.
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

/** The further environments of a template; the first one stays a column of the template. */
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

/**
 * Vaults whose password a script of the repository prints. They have a table of their own, because
 * servers of the version before need a key in each row of the other table.
 */
async function addScripts(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('template_vaults')
    .addColumn('position', 'integer', initially(0))
    .execute();
  await idColumn(db, schema.createTable('template_vault_scripts'))
    .addColumn('project_id', idType(db), required)
    .addColumn('template_id', idType(db), required)
    .addColumn('name', 'varchar(100)')
    .addColumn('script', 'varchar(255)', required)
    .addColumn('position', 'integer', required)
    .addForeignKeyConstraint(
      'template_vault_scripts_template',
      ['project_id', 'template_id'],
      'templates',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await schema
    .createIndex('template_vault_scripts_by_template_id')
    .on('template_vault_scripts')
    .columns(['template_id'])
    .execute();
}
