import { sql } from 'kysely';
import { grantedTables, grantedTypes } from '#shared/grants/granted-types.ts';
import type { Db } from '../../db/open.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import { listRestrictions, type StoredRestriction } from './restrictions.store.ts';

export const listAdministrators = (
  db: Db,
): Promise<{ id: number; username: string; name: string }[]> =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'name'])
    .where('admin', '=', 1)
    .orderBy('name')
    .orderBy('id')
    .execute();

/** The objects that exist, in the order of their names; with one statement for each kind. */
export async function listNamed(
  db: Db,
  projectId: number,
  objects: ObjectRef[],
): Promise<StoredRestriction[]> {
  const modes = await listRestrictions(db, projectId);
  const lists = grantedTypes.map(async (type): Promise<StoredRestriction[]> => {
    const { table, name } = grantedTables[type];
    const ids = objects.filter((object) => object.type === type).map(({ id }) => id);
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom(table)
      .select(['id', sql<string>`${sql.ref(name)}`.as('name')])
      .where('project_id', '=', projectId)
      .where('id', 'in', ids)
      .execute();
    return rows.map((row) => {
      const restriction = modes.find((one) => one.type === type && one.id === row.id);
      return { type, ...row, mode: restriction?.mode ?? 'open' };
    });
  });
  return (await Promise.all(lists)).flat().toSorted((a, b) => a.name.localeCompare(b.name));
}
