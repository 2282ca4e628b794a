import type { Member } from '#shared/api/members.ts';
import type { Role } from '#shared/permissions.ts';
import type { Db } from '../db/open.ts';
import type { ListOptions } from '../db/resource.ts';

const membersOf = (db: Db, projectId: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name', 'users.username', 'members.role'])
    .where('project_id', '=', projectId);

export async function listMembers(
  db: Db,
  projectId: number,
  { sort = 'name', order = 'asc', limit }: ListOptions,
): Promise<Member[]> {
  let query = membersOf(db, projectId)
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

export async function findMember(
  db: Db,
  projectId: number,
  userId: number,
): Promise<Member | null> {
  const row = await membersOf(db, projectId).where('user_id', '=', userId).executeTakeFirst();
  return row ?? null;
}

export async function updateRole(
  db: Db,
  projectId: number,
  userId: number,
  role: Role,
): Promise<void> {
  await db
    .updateTable('members')
    .set({ role })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(db: Db, projectId: number, userId: number): Promise<void> {
  await db
    .deleteFrom('members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

/** Makes others that ask the same wait for the end of this transaction; writes nothing new. */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await db
    .updateTable('projects')
    .set(({ ref }) => ({ max_parallel_tasks: ref('max_parallel_tasks') }))
    .where('id', '=', projectId)
    .execute();
}

/** Whether somebody else owns the project too. */
export async function hasOtherOwner(db: Db, projectId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The projects of a user in the order of their ids. */
export async function listMemberships(
  db: Db,
  userId: number,
): Promise<{ projectId: number; projectName: string; role: Role }[]> {
  return db
    .selectFrom('members')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .select(['projects.id as projectId', 'projects.name as projectName', 'members.role'])
    .where('user_id', '=', userId)
    .orderBy('projects.id')
    .execute();
}
