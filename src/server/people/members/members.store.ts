import type { Member } from '#shared/api/members.ts';
import type { Role } from '#shared/permissions.ts';
import type { Flag } from '../../db/tables/columns.ts';
import type { Db } from '../../db/open.ts';
import type { ListOptions } from '../../db/resource.ts';
import { toPlain } from '../../db/plain-row.ts';
import { prepared } from '../../db/prepared.ts';
import { toFlag } from '../../db/row.ts';

const membersOf = (db: Db, projectId: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name', 'users.username', 'members.role', 'members.from_rules'])
    .where('project_id', '=', projectId);

type MemberRow = Omit<Member, 'from_rules'> & { from_rules: Flag };

const toMember = (row: MemberRow): Member => toPlain<MemberRow>({ from_rules: 'flag' }, row);

export async function listMembers(
  db: Db,
  projectId: number,
  { sort = 'name', order = 'asc', limit }: ListOptions,
): Promise<Member[]> {
  let query = membersOf(db, projectId)
    .orderBy(sort as 'name' | 'username' | 'role', order)
    .orderBy('users.id', order);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(toMember);
}

/** Null if the project is missing; a role of null for a non-member. */
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
    .modifyEnd(prepared('find_role'))
    .executeTakeFirst();
  return row ?? null;
}

export async function insertMember(
  db: Db,
  projectId: number,
  { userId, role, isFromRules = false }: { userId: number; role: Role; isFromRules?: boolean },
): Promise<void> {
  await db
    .insertInto('members')
    .values({ project_id: projectId, user_id: userId, role, from_rules: toFlag(isFromRules) })
    .execute();
}

/** Null for a non-member. */
export async function findMember(
  db: Db,
  projectId: number,
  userId: number,
): Promise<Member | null> {
  const row = await membersOf(db, projectId).where('user_id', '=', userId).executeTakeFirst();
  return row ? toMember(row) : null;
}

export async function updateRole(
  db: Db,
  projectId: number,
  userId: number,
  { role, isFromRules = false }: { role: Role; isFromRules?: boolean },
): Promise<void> {
  await db
    .updateTable('members')
    .set({ role, from_rules: toFlag(isFromRules) })
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

/** Takes a row lock until the transaction ends. */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await db
    .updateTable('projects')
    .set(({ ref }) => ({ max_parallel_tasks: ref('max_parallel_tasks') }))
    .where('id', '=', projectId)
    .execute();
}

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

/** Ordered by project id, which is also the lock order. */
export async function listMemberships(
  db: Db,
  userId: number,
): Promise<{ projectId: number; projectName: string; role: Role; isFromRules: boolean }[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .select(['projects.id as projectId', 'projects.name as projectName', 'role'])
    .select('from_rules as isFromRules')
    .where('user_id', '=', userId)
    .orderBy('projects.id')
    .execute();
  return rows.map((row) => toPlain<typeof row>({ isFromRules: 'flag' }, row));
}
