// The team of a project. Removing an owner locks the project, so that two owners who remove each other
// leave one. Lock order: users before projects.

import type { Member, NewMember } from '#shared/api/members.ts';
import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Right, Rights } from '#shared/rights.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import type { Db } from '../../db/open.ts';
import { seenTypes } from '../../db/rights/object-rights.ts';
import type { Scope } from '../../db/rights/scope.ts';
import { record } from '../../events/events.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { inTransaction } from '../../context/transaction.ts';
import { type Giver, requireRights, requireRoleBySlug } from '../roles/roles.ts';
import { holdUser } from '../users/users.ts';
import {
  deleteMember,
  findMember,
  findRole,
  hasOtherOwner,
  insertMember,
  listMembers,
  listMemberships,
  listNarrowed,
  listRightsOfMembers,
  lockMember,
  lockProject,
  type MemberWithRights,
  updateRole,
} from './members.store.ts';

// `holdProject` serialises the queue and changes of the team until the transaction ends.
export {
  findMember,
  findRole,
  listMembers,
  listRightsOfMembers,
  lockMember as holdMember,
  lockProject as holdProject,
};

/** For the user who creates a project. */
export const addOwner = (db: Db, projectId: number, userId: number): Promise<void> =>
  insertMember(db, projectId, { userId, role: { slug: 'owner', id: null } });

export async function seesProject(
  db: Db,
  { userId, admin }: { userId: number; admin: boolean },
  projectId: number,
): Promise<boolean> {
  const found = await findRole(db, projectId, userId);
  return found !== null && (admin || found.role !== null);
}

/** What a user who is no administrator sees of all their projects; null: everything. */
export async function findScope(db: Db, userId: number): Promise<Scope | null> {
  const narrowed = await listNarrowed(db, userId);
  if (narrowed.length === 0) return null;
  const projects = narrowed.map(({ projectId, rights }) => ({
    id: projectId,
    seen: seenTypes(rights),
  }));
  return { userId, projects };
}

/** Null for all projects. */
export async function listVisible(
  db: Db,
  {
    userId,
    admin,
    token,
  }: { userId: number; admin: boolean; token: { projectId: number | null } | null },
): Promise<number[] | null> {
  const only = token?.projectId ?? null;
  if (admin) return only === null ? null : [only];
  const own = (await listMemberships(db, userId)).map(({ projectId }) => projectId);
  return only === null ? own : own.filter((projectId) => projectId === only);
}

export async function requireMember(
  db: Db,
  projectId: number,
  userId: number,
): Promise<MemberWithRights> {
  const member = await findMember(db, projectId, userId);
  if (!member) throw fail('member.not_found');
  return member;
}

export async function linkMember(
  ctx: Context,
  projectId: number,
  { user_id: userId, role: slug }: NewMember,
  giver: Giver,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db } = inner;
    const role = await requireRoleBySlug(db, projectId, slug);
    requireRights(giver, role.rights);
    if (!(await holdUser(db, userId))) throw failFields(fieldError('user_id', 'member.no_user'));
    await refusing(insertMember(db, projectId, { userId, role }), {
      unique: () => fail('member.exists'),
      'foreign-key': () => fail('project.not_found'),
    });
    const member = await requireMember(db, projectId, userId);
    const params = { role: role.slug };
    await announceMember(inner, 'member.added', projectId, { ...member, params });
  });
}

type ChangedMember = Pick<Member, 'id' | 'username'> & { params?: Params };

/** Records the event and publishes the hub event. */
export async function announceMember(
  ctx: Context,
  code: Extract<EventCode, `member.${string}`>,
  projectId: number,
  { id, username, params }: ChangedMember,
): Promise<void> {
  const object = { type: 'user', id, name: username } as const;
  await record(ctx, { code, projectId, object, ...(params && { params }) });
  ctx.hub.publish('resource.changed', { projectId, noun: 'members' });
}

export async function changeRole(
  ctx: Context,
  projectId: number,
  userId: number,
  { slug, giver }: { slug: string; giver: Giver },
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db } = inner;
    const member = await holdMember(db, projectId, userId);
    const role = await requireRoleBySlug(db, projectId, slug);
    requireRights(giver, [...member.rights, ...role.rights]);
    if (slug !== 'owner') await requireOtherOwner(db, projectId, member);
    // A manual change exempts the role from group rules.
    await updateRole(db, projectId, userId, { role });
    const params = { role: slug, before: member.role };
    await announceMember(inner, 'member.changed', projectId, { ...member, params });
  });
}

/** Owners do not remove themselves, unless they are administrators. Without `giver`, members remove themselves. */
export async function removeMember(
  ctx: Context,
  projectId: number,
  {
    userId,
    actor,
    giver,
  }: { userId: number; actor: { userId: number; admin: boolean }; giver: Giver | null },
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db } = inner;
    const member = await holdMember(db, projectId, userId);
    if (giver) requireRights(giver, member.rights);
    await requireOtherOwner(db, projectId, member);
    const isOwn = userId === actor.userId && !actor.admin;
    if (isOwn && member.role === 'owner') throw fail('member.owner_leaves');
    await deleteMember(db, projectId, userId);
    await announceMember(inner, 'member.removed', projectId, member);
  });
}

/** Locks the user and the project until the transaction ends. */
async function holdMember(db: Db, projectId: number, userId: number): Promise<MemberWithRights> {
  await holdUser(db, userId);
  await lockProject(db, projectId);
  return requireMember(db, projectId, userId);
}

async function requireOtherOwner(db: Db, projectId: number, { id, role }: Member): Promise<void> {
  if (role === 'owner' && !(await hasOtherOwner(db, projectId, id)))
    throw fail('member.last_owner');
}

/** Locks the projects of a user before deletion. `ownedAlone` are those that would lose their last owner. */
export async function holdMemberships(
  db: Db,
  userId: number,
): Promise<{ projectIds: number[]; ownedAlone: string[] }> {
  const ownedAlone: string[] = [];
  const memberships = await listMemberships(db, userId);
  for (const { projectId, projectName, role } of memberships) {
    await lockProject(db, projectId);
    if (role === 'owner' && !(await hasOtherOwner(db, projectId, userId))) {
      ownedAlone.push(projectName);
    }
  }
  return { projectIds: memberships.map(({ projectId }) => projectId), ownedAlone };
}

/** The names of the members who have a right and can give others a role. */
export async function findGivers(db: Db, projectId: number, right: Right): Promise<string[]> {
  const members = await listRightsOfMembers(db, projectId);
  const canGive = ({ rights }: { rights: Rights }): boolean =>
    rights.has(right) && (rights.has('member.manage') || rights.has('grant.edit'));
  return members.filter(canGive).map(({ userName }) => userName);
}
