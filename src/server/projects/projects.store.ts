import { sql } from 'kysely';
import type { Project } from '#shared/api/projects.ts';
import { unfinishedStatuses } from '#shared/task-status.ts';
import type { Db } from '../db/open.ts';
import { fromPlain, toPlain, type Plain } from '../db/plain-row.ts';
import { updateRows } from '../db/rows.ts';
import type { NewRow, Row } from '../db/tables.ts';

export type VersionedProject = Project & { revision: number };

const columns = {
  alert: 'flag',
  keep_home: 'flag',
  runner_tags: 'json',
  host_facts: 'json',
} as const;

interface ProjectJson {
  runner_tags: string[];
  host_facts: string[];
}

export type ProjectValues = Plain<
  Omit<NewRow<'projects'>, 'id' | 'revision' | 'created'>,
  ProjectJson
>;

const toProject = (row: Row<'projects'>): VersionedProject =>
  toPlain<Row<'projects'>, ProjectJson>(columns, row);

/** Sorted by name; all projects if no user is given. */
export async function listProjects(db: Db, userId: number | null): Promise<Project[]> {
  let query = db.selectFrom('projects').selectAll('projects').orderBy('name').orderBy('id');
  if (userId !== null) {
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('members').select('project_id').where('user_id', '=', userId),
    );
  }
  return (await query.execute()).map(toProject);
}

export async function findProject(db: Db, id: number): Promise<VersionedProject | null> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toProject(row) : null;
}

export async function insertProject(
  db: Db,
  values: ProjectValues & { created: string },
): Promise<Project> {
  const row = await db
    .insertInto('projects')
    .values(fromPlain(columns, values) as NewRow<'projects'>)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toProject(row);
}

/** Returns false if the project is missing or has another revision. */
export async function updateProject(
  db: Db,
  id: number,
  values: ProjectValues,
  revision: number | null,
): Promise<boolean> {
  let query = db
    .updateTable('projects')
    .set({ ...fromPlain(columns, values), revision: sql`revision + 1` })
    .where('id', '=', id);
  if (revision !== null) query = query.where('revision', '=', revision);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateDefaultEnvironment(
  db: Db,
  id: number,
  execution_environment_id: number | null,
): Promise<void> {
  await updateRows(db, 'projects', { id }, { execution_environment_id });
}

export async function listUnfinishedTasks(db: Db, id: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('project_id', '=', id)
    .where('status', 'in', unfinishedStatuses)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

// Referring tables come first. Their other child rows are deleted by cascade.
const tablesToDelete = [
  'tasks',
  'integrations',
  'integration_aliases',
  'alert_channels',
  'schedules',
  'workflow_uses',
  'workflows',
  'templates',
  'inventories',
  'environments',
  'repositories',
  'host_configs',
  'execution_environments',
  'views',
  'keys',
  'members',
  'group_rules',
  'roles',
] as const;

export async function deleteProject(db: Db, id: number): Promise<void> {
  // The project and its default refer to each other.
  await updateDefaultEnvironment(db, id, null);
  for (const table of tablesToDelete) {
    await db.deleteFrom(table).where('project_id', '=', id).execute();
  }
  await db.deleteFrom('projects').where('id', '=', id).execute();
}
