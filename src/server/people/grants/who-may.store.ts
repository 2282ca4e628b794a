import { type Rights, roleNameOf } from '#shared/rights.ts';
import type { Db } from '../../db/open.ts';
import { rightsOf } from '../../db/rights/role-rights.ts';

interface MemberRights {
  userId: number;
  username: string;
  userName: string;
  role: string;
  roleName: string;
  rights: Rights;
}

/** In the order of their names. */
export async function listRightsOfMembers(db: Db, projectId: number): Promise<MemberRights[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('roles', 'roles.id', 'members.role_id')
    .select(['users.id', 'users.username', 'users.name', 'members.role'])
    .select(['roles.name as own_name', 'roles.rights as own_rights'])
    .where('members.project_id', '=', projectId)
    .orderBy('users.name')
    .orderBy('users.id')
    .execute();
  return rows.map((row) => ({
    userId: row.id,
    username: row.username,
    userName: row.name,
    role: row.role,
    roleName: roleNameOf(row.role, row.own_name),
    rights: rightsOf({ role: row.role, rights: row.own_rights }),
  }));
}

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
