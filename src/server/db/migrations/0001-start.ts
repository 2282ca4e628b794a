import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesType, idColumn, idType, initially, required } from '../row.ts';

type Schema = Kysely<never>;

export const start: Migration = {
  async up(db: Kysely<never>) {
    await people(db);
    await projects(db);
    await resources(db);
    await templates(db);
    await tasks(db);
    await db.schema
      .createTable('settings')
      .addColumn('name', 'varchar(100)', (column) => column.primaryKey())
      .addColumn('value', 'text', required)
      .execute();
  },
};

async function people(db: Schema): Promise<void> {
  await idColumn(db, db.schema.createTable('users'))
    .addColumn('created', 'varchar(24)', required)
    .addColumn('username', 'varchar(255)', (column) => column.notNull().unique())
    .addColumn('name', 'varchar(255)', required)
    .addColumn('email', 'varchar(255)', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('admin', 'integer', required)
    .addColumn('external', 'integer', required)
    .addColumn('alert', 'integer', required)
    .execute();
  await idColumn(db, db.schema.createTable('sessions'))
    .addColumn('user_id', idType(db), (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('token_hash', 'varchar(64)', (column) => column.notNull().unique())
    .addColumn('created', 'varchar(24)', required)
    .addColumn('last_active', 'varchar(24)', required)
    .addColumn('expires', 'varchar(24)', required)
    .addColumn('ip', 'varchar(64)', required)
    .addColumn('user_agent', 'varchar(512)', required)
    .execute();
  await index(db, 'sessions', ['user_id']);
}

async function projects(db: Schema): Promise<void> {
  await idColumn(db, db.schema.createTable('projects'))
    .addColumn('name', 'varchar(255)', required)
    .addColumn('created', 'varchar(24)', required)
    .addColumn('alert', 'integer', required)
    .addColumn('alert_chat', 'varchar(30)')
    .addColumn('max_parallel_tasks', 'integer', required)
    .addColumn('type', 'varchar(20)', required)
    .addColumn('revision', 'integer', initially(1))
    .execute();
  await db.schema
    .createTable('members')
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('user_id', idType(db), (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('role', 'varchar(20)', required)
    .addPrimaryKeyConstraint('members_key', ['project_id', 'user_id'])
    .execute();
  await index(db, 'members', ['user_id']);
}

/** A table of things that belong to a project and have a unique name in it. */
function resource(db: Schema, table: string) {
  return (
    idColumn(db, db.schema.createTable(table))
      .addColumn('project_id', idType(db), (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'varchar(255)', required)
      .addColumn('revision', 'integer', initially(1))
      .addUniqueConstraint(`${table}_name`, ['project_id', 'name'])
      // The target of the references below: a thing together with its project, so that no row can
      // refer to a row of another project.
      .addUniqueConstraint(`${table}_project`, ['project_id', 'id'])
  );
}

async function resources(db: Schema): Promise<void> {
  await resource(db, 'keys')
    .addColumn('type', 'varchar(20)', required)
    .addColumn('secret', 'text')
    .execute();
  await resource(db, 'repositories')
    .addColumn('git_url', 'text', required)
    .addColumn('git_branch', 'varchar(255)', required)
    .addColumn('ssh_key_id', idType(db), required)
    .addForeignKeyConstraint('repositories_ssh_key', ['project_id', 'ssh_key_id'], 'keys', [
      'project_id',
      'id',
    ])
    .execute();
  await resource(db, 'inventories')
    .addColumn('type', 'varchar(30)', required)
    .addColumn('inventory', 'text', required)
    .addColumn('ssh_key_id', idType(db))
    .addColumn('become_key_id', idType(db))
    .addColumn('repository_id', idType(db))
    .addForeignKeyConstraint('inventories_ssh_key', ['project_id', 'ssh_key_id'], 'keys', [
      'project_id',
      'id',
    ])
    .addForeignKeyConstraint('inventories_become_key', ['project_id', 'become_key_id'], 'keys', [
      'project_id',
      'id',
    ])
    .addForeignKeyConstraint(
      'inventories_repository',
      ['project_id', 'repository_id'],
      'repositories',
      ['project_id', 'id'],
    )
    .execute();
  await resource(db, 'environments')
    .addColumn('json', 'text', required)
    .addColumn('env', 'text', required)
    .execute();
  await idColumn(db, db.schema.createTable('views'))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('title', 'varchar(100)', required)
    .addColumn('position', 'integer', required)
    .addUniqueConstraint('views_project', ['project_id', 'id'])
    .execute();
}

const templateTexts = ['description', 'limit', 'tags', 'skip_tags', 'survey_vars'];
const templateFlags = [
  'allow_override_args_in_task',
  'allow_override_inventory_in_task',
  'allow_override_branch_in_task',
  'allow_override_limit_in_task',
  'allow_override_tags_in_task',
  'allow_override_skip_tags_in_task',
  'allow_debug_in_task',
  'allow_parallel_tasks',
];
const templateNumbers = [
  'autorun',
  'timeout_s',
  'retries',
  'requires_confirmation',
  'suppress_success_alerts',
  'keep_tasks',
  'keep_days',
  'tasks',
];

async function templates(db: Schema): Promise<void> {
  let table: CreateTableBuilder<string, string> = resource(db, 'templates')
    .addColumn('app', 'varchar(50)', required)
    .addColumn('type', 'varchar(10)', required)
    .addColumn('playbook', 'varchar(255)', required)
    .addColumn('repository_id', idType(db), required)
    .addColumn('git_branch', 'varchar(255)')
    .addColumn('arguments', 'text')
    .addColumn('start_version', 'varchar(100)') as CreateTableBuilder<string, string>;
  for (const name of templateTexts) table = table.addColumn(name, 'text', required);
  for (const name of templateFlags) table = table.addColumn(name, 'integer', required);
  for (const name of templateNumbers) table = table.addColumn(name, 'integer', initially(0));
  const references = {
    inventory_id: 'inventories',
    environment_id: 'environments',
    view_id: 'views',
    build_template_id: 'templates',
  };
  for (const [column, target] of Object.entries(references)) {
    table = table
      .addColumn(column, idType(db))
      .addForeignKeyConstraint(`templates_${column}`, ['project_id', column], target, [
        'project_id',
        'id',
      ]);
  }
  await table
    .addForeignKeyConstraint(
      'templates_repository_id',
      ['project_id', 'repository_id'],
      'repositories',
      ['project_id', 'id'],
    )
    .execute();
  await idColumn(db, db.schema.createTable('template_vaults'))
    .addColumn('project_id', idType(db), required)
    .addColumn('template_id', idType(db), required)
    .addColumn('vault_key_id', idType(db), required)
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
  await index(db, 'template_vaults', ['template_id']);
}

async function tasks(db: Schema): Promise<void> {
  await idColumn(db, db.schema.createTable('tasks'))
    .addColumn('project_id', idType(db), required)
    .addColumn('template_id', idType(db), required)
    .addColumn('status', 'varchar(30)', required)
    .addColumn('created', 'varchar(24)', required)
    .addColumn('start', 'varchar(24)')
    .addColumn('end', 'varchar(24)')
    .addColumn('user_id', idType(db), (column) =>
      column.references('users.id').onDelete('set null'),
    )
    .addColumn('message', 'varchar(250)', required)
    .addColumn('version', 'varchar(100)')
    .addColumn('build_task_id', idType(db), (column) =>
      column.references('tasks.id').onDelete('set null'),
    )
    .addColumn('commit_hash', 'varchar(64)')
    .addColumn('commit_message', 'text', initially(''))
    .addColumn('environment', 'text', required)
    .addColumn('secret', 'text')
    .addColumn('debug', 'integer', required)
    .addColumn('dry_run', 'integer', required)
    .addColumn('diff', 'integer', required)
    .addColumn('playbook', 'varchar(255)', required)
    .addColumn('arguments', 'text')
    .addColumn('git_branch', 'varchar(255)')
    .addColumn('limit', 'text', required)
    .addColumn('tags', 'text', required)
    .addColumn('skip_tags', 'text', required)
    .addColumn('inventory_id', idType(db), (column) =>
      column.references('inventories.id').onDelete('set null'),
    )
    .addColumn('snapshot', 'text', required)
    .addColumn('log_lines', 'integer', initially(0))
    .addForeignKeyConstraint(
      'tasks_template',
      ['project_id', 'template_id'],
      'templates',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await index(db, 'tasks', ['project_id', 'id']);
  await index(db, 'tasks', ['template_id', 'id']);
  await index(db, 'tasks', ['status', 'id']);
  await db.schema
    .createTable('task_log_chunks')
    .addColumn('task_id', idType(db), (column) =>
      column.notNull().references('tasks.id').onDelete('cascade'),
    )
    .addColumn('first_line', 'integer', required)
    .addColumn('lines', 'integer', required)
    .addColumn('bytes', 'integer', required)
    .addColumn('time', 'varchar(24)', required)
    .addColumn('data', bytesType(db), required)
    .addPrimaryKeyConstraint('task_log_chunks_key', ['task_id', 'first_line'])
    .execute();
}

async function index(db: Schema, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
    .execute();
}
