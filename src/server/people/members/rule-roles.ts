// Applies the rules for groups to memberships. Memberships that were given by hand stay as they
// are.

import { roles, type Role } from '#shared/permissions.ts';
import type { Context } from '../../context/context.ts';
import { announceMember } from './members.ts';
import {
  deleteMember,
  findMembership,
  hasOtherOwner,
  insertMember,
  listMemberships,
  lockProject,
  updateRole,
} from './members.store.ts';

interface Person {
  id: number;
  username: string;
}

/**
 * Runs in the transaction of the caller, which has locked the user. No project loses its last
 * owner, and nobody a role unless `mayTake`.
 */
export async function syncRoles(
  ctx: Context,
  user: Person,
  { wanted, mayTake }: { wanted: Map<number, Role>; mayTake: boolean },
): Promise<void> {
  const before = await listMemberships(ctx.db, user.id);
  const given = before.filter(({ isFromRules }) => isFromRules).map(({ projectId }) => projectId);
  // In one order, so that two sign-ins at once cannot deadlock.
  const touched = [...new Set([...given, ...wanted.keys()])].sort((a, b) => a - b);
  for (const projectId of touched) {
    await syncRole(ctx, { projectId, user, role: wanted.get(projectId) ?? null, mayTake });
  }
}

interface RoleChange {
  projectId: number;
  user: Person;
  role: Role | null;
  mayTake: boolean;
}

async function syncRole(
  ctx: Context,
  { projectId, user, role, mayTake }: RoleChange,
): Promise<void> {
  const { db } = ctx;
  await lockProject(db, projectId);
  const before = await findMembership(db, projectId, user.id);
  if (!before) {
    if (role === null) return;
    await insertMember(db, projectId, { userId: user.id, role, isFromRules: true });
    await announceMember(ctx, 'member.added', projectId, { ...user, params: { role } });
    return;
  }
  if (!before.isFromRules || before.role === role) return;
  const isLess = role === null || roles[role] < roles[before.role];
  if (isLess && !mayTake) return;
  const isLastOwner = before.role === 'owner' && !(await hasOtherOwner(db, projectId, user.id));
  if (isLastOwner) {
    ctx.log.warn(`${user.username} stays the owner of project ${projectId}: it has no other`);
    return;
  }
  if (role === null) {
    await deleteMember(db, projectId, user.id);
    await announceMember(ctx, 'member.removed', projectId, user);
    return;
  }
  await updateRole(db, projectId, user.id, { role, isFromRules: true });
  const params = { role, before: before.role };
  await announceMember(ctx, 'member.changed', projectId, { ...user, params });
}
