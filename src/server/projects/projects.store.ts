import type { Project } from '#shared/api/projects.ts';
import type { Db } from '../db/open.ts';
import { fromFlag } from '../db/row.ts';
import type { NewRow, Row } from '../db/tables.ts';

function toProject({ alert, ...row }: Row<'projects'>): Project & { revision: number } {
  return { ...row, alert: fromFlag(alert) };
}

/** The projects of a member by name; of everybody when no user is given. */
export async function listProjects(db: Db, userId: number | null): Promise<Project[]> {
  let query = db.selectFrom('projects').selectAll('projects').orderBy('name').orderBy('id');
  if (userId !== null) {
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('members').select('project_id').where('user_id', '=', userId),
    );
  }
  return (await query.execute()).map(toProject);
}

export async function findProject(db: Db, id: number): Promise<Project | null> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toProject(row) : null;
}

export async function insertProject(
  db: Db,
  values: Omit<NewRow<'projects'>, 'id' | 'revision'>,
): Promise<Project> {
  const row = await db
    .insertInto('projects')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toProject(row);
}
