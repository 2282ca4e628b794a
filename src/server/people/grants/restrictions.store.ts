import type { RestrictionMode } from '#shared/api/grants.ts';
import { columnOf } from '#shared/grants/granted-types.ts';
import type { Db } from '../../db/open.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import { namedObject, nameOfObject, objectOf } from '../../db/rights/named-object.store.ts';

export interface StoredRestriction extends ObjectRef {
  name: string;
  mode: RestrictionMode;
}

/** In the order of their names. */
export async function listRestrictions(db: Db, projectId: number): Promise<StoredRestriction[]> {
  const rows = await db
    .selectFrom('restrictions')
    .select(namedObject('restrictions'))
    .select(['restrictions.mode', nameOfObject('restrictions').as('name')])
    .where('restrictions.project_id', '=', projectId)
    .orderBy('name')
    .orderBy('restrictions.id')
    .execute();
  return rows.map((row) => ({
    ...objectOf(row),
    name: row.name ?? '',
    mode: row.mode as RestrictionMode,
  }));
}

export async function setMode(
  db: Db,
  projectId: number,
  { type, id }: ObjectRef,
  mode: RestrictionMode,
): Promise<void> {
  await db.deleteFrom('restrictions').where(columnOf(type), '=', id).execute();
  if (mode === 'open') return;
  await db
    .insertInto('restrictions')
    .values({ project_id: projectId, [columnOf(type)]: id, mode })
    .execute();
}
