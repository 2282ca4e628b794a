import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { idColumn, idType, initially, required } from '../row.ts';

/** Workflows, their runs, the nodes of each run, and what was decided in it. */
export const workflows: Migration = {
  async up(db: Kysely<never>) {
    await createWorkflows(db);
    await createUses(db);
    await createRuns(db);
    await createNodes(db);
    await createDecisions(db);
    await db.schema
      .alterTable('tasks')
      .addColumn('workflow_run_id', idType(db), (column) =>
        column.references('workflow_runs.id').onDelete('set null'),
      )
      .execute();
    await db.schema.alterTable('tasks').addColumn('workflow_node', 'varchar(40)').execute();
    await sql`create index tasks_by_workflow_run on tasks (workflow_run_id)
      where workflow_run_id is not null`.execute(db);
  },
};

async function createWorkflows(db: Kysely<never>): Promise<void> {
  await idColumn(db, db.schema.createTable('workflows'))
    .addColumn('project_id', idType(db), (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'varchar(100)', required)
    .addColumn('description', 'text', initially(''))
    .addColumn('view_id', idType(db))
    .addColumn('graph', 'text', required)
    .addColumn('revision', 'integer', initially(1))
    .addUniqueConstraint('workflows_by_name', ['project_id', 'name'])
    // Rows that belong to a workflow name its project too.
    .addUniqueConstraint('workflows_by_project', ['project_id', 'id'])
    .execute();
  await db.schema
    .createIndex('workflows_by_view')
    .on('workflows')
    .columns(['project_id', 'view_id'])
    .execute();
}

/** What the nodes of a workflow use, so that it is not deleted. */
async function createUses(db: Kysely<never>): Promise<void> {
  await idColumn(db, db.schema.createTable('workflow_uses'))
    .addColumn('project_id', idType(db), required)
    .addColumn('workflow_id', idType(db), required)
    .addColumn('template_id', idType(db))
    .addColumn('used_workflow_id', idType(db))
    .addForeignKeyConstraint(
      'workflow_uses_workflow',
      ['project_id', 'workflow_id'],
      'workflows',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint('workflow_uses_template', ['project_id', 'template_id'], 'templates', [
      'project_id',
      'id',
    ])
    .addForeignKeyConstraint(
      'workflow_uses_used',
      ['project_id', 'used_workflow_id'],
      'workflows',
      ['project_id', 'id'],
    )
    .execute();
  for (const column of ['workflow_id', 'template_id', 'used_workflow_id']) {
    await db.schema
      .createIndex(`workflow_uses_by_${column}`)
      .on('workflow_uses')
      .columns(['project_id', column])
      .execute();
  }
}

async function createRuns(db: Kysely<never>): Promise<void> {
  await idColumn(db, db.schema.createTable('workflow_runs'))
    .addColumn('project_id', idType(db), required)
    .addColumn('workflow_id', idType(db), required)
    .addColumn('name', 'varchar(100)', required)
    .addColumn('status', 'varchar(20)', required)
    .addColumn('created', 'varchar(30)', required)
    .addColumn('end', 'varchar(30)')
    .addColumn('user_id', idType(db), (column) =>
      column.references('users.id').onDelete('set null'),
    )
    .addColumn('username', 'varchar(255)', required)
    .addColumn('message', 'varchar(250)', required)
    .addColumn('graph', 'text', required)
    .addColumn('force_stop', 'integer', initially(0))
    .addColumn('parent_run_id', idType(db), (column) =>
      column.references('workflow_runs.id').onDelete('set null'),
    )
    .addColumn('parent_node', 'varchar(40)')
    .addColumn('rerun_of', idType(db), (column) =>
      column.references('workflow_runs.id').onDelete('set null'),
    )
    .addForeignKeyConstraint(
      'workflow_runs_workflow',
      ['project_id', 'workflow_id'],
      'workflows',
      ['project_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('workflow_runs_by_project')
    .on('workflow_runs')
    .columns(['project_id', 'id'])
    .execute();
  await db.schema
    .createIndex('workflow_runs_by_workflow')
    .on('workflow_runs')
    .columns(['project_id', 'workflow_id', 'id'])
    .execute();
  for (const column of ['user_id', 'parent_run_id', 'rerun_of']) {
    await sql`create index ${sql.ref(`workflow_runs_by_${column}`)}
      on workflow_runs (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db);
  }
  // Few runs are unfinished.
  await sql`create index workflow_runs_stopping on workflow_runs (id)
    where status = 'stopping'`.execute(db);
}

async function createNodes(db: Kysely<never>): Promise<void> {
  await idColumn(db, db.schema.createTable('workflow_nodes'))
    .addColumn('project_id', idType(db), required)
    .addColumn('run_id', idType(db), (column) =>
      column.notNull().references('workflow_runs.id').onDelete('cascade'),
    )
    .addColumn('node', 'varchar(40)', required)
    .addColumn('state', 'varchar(20)', required)
    .addColumn('task_id', idType(db), (column) =>
      column.references('tasks.id').onDelete('set null'),
    )
    .addColumn('child_run_id', idType(db), (column) =>
      column.references('workflow_runs.id').onDelete('set null'),
    )
    .addColumn('begin', 'varchar(30)')
    .addColumn('end', 'varchar(30)')
    .addColumn('until', 'varchar(30)')
    .addColumn('reason', 'text')
    .addColumn('is_kept', 'integer', initially(0))
    .addColumn('decided_by', 'varchar(255)')
    .addColumn('answers', 'text', initially('{}'))
    .addColumn('secret', 'text')
    .addUniqueConstraint('workflow_nodes_by_node', ['run_id', 'node'])
    .execute();
  for (const column of ['task_id', 'child_run_id']) {
    await sql`create index ${sql.ref(`workflow_nodes_by_${column}`)}
      on workflow_nodes (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db);
  }
  // Most nodes have ended.
  await sql`create index workflow_nodes_active on workflow_nodes (until, id)
    where state = 'active'`.execute(db);
}

async function createDecisions(db: Kysely<never>): Promise<void> {
  await idColumn(db, db.schema.createTable('workflow_decisions'))
    .addColumn('run_id', idType(db), (column) =>
      column.notNull().references('workflow_runs.id').onDelete('cascade'),
    )
    .addColumn('time', 'varchar(30)', required)
    .addColumn('code', 'varchar(50)', required)
    .addColumn('params', 'text', required)
    .addColumn('because', 'text', required)
    .execute();
  await db.schema
    .createIndex('workflow_decisions_by_run')
    .on('workflow_decisions')
    .columns(['run_id', 'id'])
    .execute();
}
