import type { Db } from '../open.ts';
import type { ObjectRef } from './object-rights.ts';
import { loadRightsOn } from './object-rights.store.ts';
import { rightsOf } from './role-rights.ts';

/** Those of the users who are members and see the object. */
export async function listWhoSee(
  db: Db,
  projectId: number,
  object: ObjectRef,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('roles', 'roles.id', 'members.role_id')
    .select(['members.user_id', 'users.admin', 'members.role', 'roles.rights'])
    .where('members.project_id', '=', projectId)
    .where('members.user_id', 'in', userIds)
    .orderBy('members.user_id')
    .execute();
  const rightsOn = await loadRightsOn(db, projectId, object);
  const isSeen = (row: (typeof rows)[number]): boolean =>
    row.admin === 1 || rightsOn(row.user_id, rightsOf(row)).sees(object);
  return rows.filter(isSeen).map((row) => row.user_id);
}
