import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

export const integrations: Migration = {
  async up(db: Kysely<never>) {
    await things(db);
    await parts(db);
    await deliveries(db);
    for (const [table, column] of indexed) {
      await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
    }
  },
};

async function things(db: Kysely<never>): Promise<void> {
  await idColumn(db, db.schema.createTable('integrations'))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'varchar(255)', required)
    .addColumn('revision', 'integer', initially(1))
    .addColumn('template_id', idType(db))
    .addColumn('auth_method', 'varchar(15)', required)
    .addColumn('auth_header', 'varchar(255)', required)
    .addColumn('auth_secret_id', idType(db))
    .addColumn('searchable', 'integer', required)
    .addColumn('task_params', 'text')
    .addColumn('inventory_id', idType(db))
    .addUniqueConstraint('integrations_name', ['project_id', 'name'])
    .addUniqueConstraint('integrations_project', ['project_id', 'id'])
    .addForeignKeyConstraint('integrations_template', ['project_id', 'template_id'], 'templates', [
      'project_id',
      'id',
    ])
    .addForeignKeyConstraint('integrations_auth_secret', ['project_id', 'auth_secret_id'], 'keys', [
      'project_id',
      'id',
    ])
    .addForeignKeyConstraint(
      'integrations_inventory',
      ['project_id', 'inventory_id'],
      'inventories',
      ['project_id', 'id'],
    )
    .execute();
}

async function parts(db: Kysely<never>): Promise<void> {
  await part(db, 'integration_aliases', false)
    .addColumn('alias_hash', 'varchar(64)', (column) => column.notNull().unique())
    .addColumn('alias', 'text', required)
    .execute();
  await part(db, 'integration_values')
    .addColumn('name', 'varchar(255)', required)
    .addColumn('value_source', 'varchar(10)', required)
    .addColumn('body_data_type', 'varchar(10)', required)
    .addColumn('key', 'varchar(255)', required)
    .addColumn('variable', 'varchar(255)', required)
    .execute();
  await part(db, 'integration_matchers')
    .addColumn('name', 'varchar(255)', required)
    .addColumn('match_type', 'varchar(10)', required)
    .addColumn('body_data_type', 'varchar(10)', required)
    .addColumn('key', 'varchar(510)', required)
    .addColumn('method', 'varchar(10)', required)
    .addColumn('value', 'varchar(510)', required)
    .execute();
}

async function deliveries(db: Kysely<never>): Promise<void> {
  await part(db, 'integration_deliveries')
    .addColumn('created', 'varchar(24)', required)
    .addColumn('ip', 'varchar(64)', required)
    .addColumn('method', 'varchar(10)', required)
    .addColumn('result', 'varchar(20)', required)
    .addColumn('reason', 'varchar(100)', required)
    .addColumn('params', 'text', required)
    .addColumn('task_id', idType(db), (column) =>
      column.references('tasks.id').onDelete('set null'),
    )
    .addColumn('replay_of', idType(db))
    .addColumn('sender_id', 'varchar(64)')
    .addColumn('request', 'text', required)
    // A request that its sender repeats starts nothing again.
    .addUniqueConstraint('integration_deliveries_sender', ['integration_id', 'sender_id'])
    .execute();
}

const indexed: [table: string, column: string][] = [
  ['integration_aliases', 'integration_id'],
  ['integration_values', 'integration_id'],
  ['integration_matchers', 'integration_id'],
  ['integration_deliveries', 'integration_id'],
  // The deletion of tasks searches for their deliveries.
  ['integration_deliveries', 'task_id'],
];

/**
 * A table of things that are deleted with their integration or, if they may have none, with the
 * project.
 */
function part(
  db: Kysely<never>,
  table: string,
  isRequired = true,
): CreateTableBuilder<string, string> {
  return idColumn(db, db.schema.createTable(table))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('integration_id', idType(db), (column) => (isRequired ? column.notNull() : column))
    .addForeignKeyConstraint(
      `${table}_integration`,
      ['project_id', 'integration_id'],
      'integrations',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    ) as CreateTableBuilder<string, string>;
}
