import { sql } from 'kysely';
import type { NewView, View } from '#shared/api/views.ts';
import type { Db } from '../../db/open.ts';
import { updateRows } from '../../db/rows.ts';
import type { Versioned } from '../../db/resource.ts';
import { isSqlite } from '../../db/row.ts';

export function listViews(db: Db, projectId: number): Promise<View[]> {
  return db
    .selectFrom('views')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

const one = (db: Db, projectId: number, id: number) =>
  db.selectFrom('views').selectAll().where('project_id', '=', projectId).where('id', '=', id);

export async function findView(
  db: Db,
  projectId: number,
  id: number,
): Promise<Versioned<View> | null> {
  return (await one(db, projectId, id).executeTakeFirst()) ?? null;
}

/** Locks the view against new references; false: no such view. */
export async function lockView(db: Db, projectId: number, id: number): Promise<boolean> {
  // In SQLite only one transaction writes at a time anyway.
  const query = isSqlite(db as never) ? one(db, projectId, id) : one(db, projectId, id).forUpdate();
  return (await query.executeTakeFirst()) !== undefined;
}

/** Adds a view after the others, unless it has a position. */
export async function insertView(
  db: Db,
  projectId: number,
  { title, position }: NewView,
): Promise<number> {
  const row = await db
    .insertInto('views')
    .values((eb) => ({
      project_id: projectId,
      title,
      position:
        position ??
        eb
          .selectFrom('views')
          .select(sql<number>`coalesce(max(position) + 1, 0)`.as('position'))
          .where('project_id', '=', projectId),
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** False: no such view, or another revision. */
export function updateView(
  db: Db,
  { projectId, id, revision }: { projectId: number; id: number; revision: number | null },
  values: { title: string; position?: number },
): Promise<boolean> {
  const match = { project_id: projectId, id, ...(revision !== null && { revision }) };
  return updateRows(db, 'views', match, { ...values, revision: sql`revision + 1` });
}

/** The revision stays, so that open forms of the view stay valid. */
export async function updatePosition(
  db: Db,
  projectId: number,
  id: number,
  position: number,
): Promise<void> {
  await updateRows(db, 'views', { project_id: projectId, id }, { position });
}

export async function removeRow(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('views').where('project_id', '=', projectId).where('id', '=', id).execute();
}
