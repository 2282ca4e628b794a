import type { Member } from '#shared/api/members.ts';
import type { Role } from '#shared/permissions.ts';
import type { Db } from '../db/open.ts';
import type { ListOptions } from '../db/resource.ts';

export async function listMembers(
  db: Db,
  projectId: number,
  { sort = 'name', order = 'asc', limit }: ListOptions,
): Promise<Member[]> {
  let query = db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name', 'users.username', 'members.role'])
    .where('project_id', '=', projectId)
    .orderBy(sort as 'name' | 'username' | 'role', order)
    .orderBy('users.id', order);
  if (limit !== undefined) query = query.limit(limit);
  return query.execute();
}

/** Null: no such project. A role of null: the user is not a member. */
export async function findRole(
  db: Db,
  projectId: number,
  userId: number,
): Promise<{ role: Role | null } | null> {
  const row = await db
    .selectFrom('projects')
    .leftJoin('members', (join) =>
      join.onRef('members.project_id', '=', 'projects.id').on('members.user_id', '=', userId),
    )
    .select('members.role')
    .where('projects.id', '=', projectId)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertMember(
  db: Db,
  projectId: number,
  userId: number,
  role: Role,
): Promise<void> {
  await db.insertInto('members').values({ project_id: projectId, user_id: userId, role }).execute();
}
