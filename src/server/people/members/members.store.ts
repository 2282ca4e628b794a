import { sql } from 'kysely';
import type { Member } from '#shared/api/members.ts';
import { type Rights, roleNameOf } from '#shared/rights.ts';
import type { Flag } from '../../db/tables/columns.ts';
import type { Db } from '../../db/open.ts';
import type { ListOptions } from '../../db/resource.ts';
import { toPlain } from '../../db/plain-row.ts';
import { prepared } from '../../db/prepared.ts';
import { toFlag } from '../../db/row.ts';
import { isNarrowed } from '../../db/rights/object-rights.ts';
import { anyGrant, anyRestriction, type FoundRole, rightsOf } from '../../db/rights/role-rights.ts';

const membersOf = (db: Db, projectId: number) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('roles', 'roles.id', 'members.role_id')
    .select(['users.id', 'users.name', 'users.username', 'members.role', 'members.from_rules'])
    .select('roles.rights as own_rights')
    .where('members.project_id', '=', projectId);

type MemberRow = Omit<Member, 'from_rules'> & {
  from_rules: Flag;
  own_rights: string | null;
};

export type MemberWithRights = Member & { rights: Rights };

function toMember({ own_rights: rights, ...row }: MemberRow): MemberWithRights {
  const plain = toPlain<typeof row>({ from_rules: 'flag' }, row);
  return { ...plain, rights: rightsOf({ role: row.role, rights }) };
}

export async function listMembers(
  db: Db,
  projectId: number,
  { sort = 'name', order = 'asc', limit }: ListOptions,
): Promise<Member[]> {
  const by = { name: 'users.name', username: 'users.username', role: 'members.role' } as const;
  let query = membersOf(db, projectId)
    .orderBy(by[sort as keyof typeof by], order)
    .orderBy('users.id', order);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(toMember);
}

/** The role of a member: its slug, its name and its rights. */
export interface MemberRole {
  slug: string;
  name: string;
  rights: Rights;
  /** Whether the member has a grant on an object. */
  hasGrants: boolean;
}

/** Null if the project is missing; a role of null for a non-member. `hasRestrictions`: something is restricted there. */
export async function findRole(
  db: Db,
  projectId: number,
  userId: number,
): Promise<{ role: MemberRole | null; hasRestrictions: boolean } | null> {
  const row = await db
    .selectFrom('projects')
    .leftJoin('members', (join) =>
      join.onRef('members.project_id', '=', 'projects.id').on('members.user_id', '=', userId),
    )
    .leftJoin('roles', 'roles.id', 'members.role_id')
    .select(['members.role', 'roles.name', 'roles.rights'])
    .select([anyRestriction('projects.id'), anyGrant('projects.id', sql`${userId}`)])
    .where('projects.id', '=', projectId)
    .modifyEnd(prepared('find_role'))
    .executeTakeFirst();
  if (!row) return null;
  const { role: slug, name, rights } = row;
  const hasRestrictions = row.restriction !== null;
  if (slug === null) return { role: null, hasRestrictions };
  return {
    hasRestrictions,
    role: {
      slug,
      name: roleNameOf(slug, name),
      rights: rightsOf({ role: slug, rights }),
      hasGrants: row.grant !== null,
    },
  };
}

/** The projects of a user in which something may be hidden from them, with their rights there. */
export async function listNarrowed(
  db: Db,
  userId: number,
): Promise<{ projectId: number; rights: Rights }[]> {
  const rows = await db
    .selectFrom('members')
    .leftJoin('roles', 'roles.id', 'members.role_id')
    .select(['members.project_id', 'members.role', 'roles.rights'])
    .select(anyRestriction('members.project_id'))
    .where('members.user_id', '=', userId)
    .modifyEnd(prepared('list_narrowed'))
    .execute();
  return rows.flatMap(({ project_id: projectId, role, rights: own, restriction }) => {
    const rights = rightsOf({ role, rights: own });
    return isNarrowed(rights, restriction !== null) ? [{ projectId, rights }] : [];
  });
}

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

const toColumns = ({ slug, id }: Pick<FoundRole, 'slug' | 'id'>) => ({ role: slug, role_id: id });

export async function insertMember(
  db: Db,
  projectId: number,
  {
    userId,
    role,
    isFromRules = false,
  }: { userId: number; role: Pick<FoundRole, 'slug' | 'id'>; isFromRules?: boolean },
): Promise<void> {
  const ids = { project_id: projectId, user_id: userId };
  await db
    .insertInto('members')
    .values({ ...ids, ...toColumns(role), from_rules: toFlag(isFromRules) })
    .execute();
}

/** Null for a non-member. */
export async function findMember(
  db: Db,
  projectId: number,
  userId: number,
): Promise<MemberWithRights | null> {
  const row = await membersOf(db, projectId).where('user_id', '=', userId).executeTakeFirst();
  return row ? toMember(row) : null;
}

export async function updateRole(
  db: Db,
  projectId: number,
  userId: number,
  { role, isFromRules = false }: { role: FoundRole; isFromRules?: boolean },
): Promise<void> {
  await db
    .updateTable('members')
    .set({ ...toColumns(role), from_rules: toFlag(isFromRules) })
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

/** Takes a row lock until the transaction ends; false for a non-member. */
export async function lockMember(db: Db, projectId: number, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('members')
    .set(({ ref }) => ({ from_rules: ref('from_rules') }))
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
): Promise<{ projectId: number; projectName: string; role: string; isFromRules: boolean }[]> {
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
