// Applies group rules to memberships; manual roles stay.

import type { Member } from '#shared/api/members.ts';
import { includesAll } from '#shared/rights.ts';
import type { Context } from '../../context/context.ts';
import type { FoundRole } from '../../db/rights/role-rights.ts';
import { announceMember } from './members.ts';
import {
  deleteMember,
  findMember,
  hasOtherOwner,
  insertMember,
  listMemberships,
  lockProject,
  updateRole,
} from './members.store.ts';

type RuleUser = Pick<Member, 'id' | 'username'>;

/** The caller has locked the user. The last owner stays; roles are removed only if `mayRemove`. */
export async function syncRoles(
  ctx: Context,
  user: RuleUser,
  { wanted, mayRemove }: { wanted: Map<number, FoundRole>; mayRemove: boolean },
): Promise<void> {
  const before = await listMemberships(ctx.db, user.id);
  const given = before.filter(({ isFromRules }) => isFromRules).map(({ projectId }) => projectId);
  // Sorted, to avoid deadlocks of concurrent sign-ins.
  const touched = [...new Set([...given, ...wanted.keys()])].sort((a, b) => a - b);
  for (const projectId of touched) {
    await syncRole(ctx, { projectId, user, role: wanted.get(projectId) ?? null, mayRemove });
  }
}

interface RoleChange {
  projectId: number;
  user: RuleUser;
  role: FoundRole | null;
  mayRemove: boolean;
}

async function syncRole(
  ctx: Context,
  { projectId, user, role, mayRemove }: RoleChange,
): Promise<void> {
  const { db } = ctx;
  await lockProject(db, projectId);
  const before = await findMember(db, projectId, user.id);
  if (!before) {
    if (role === null) return;
    await insertMember(db, projectId, { userId: user.id, role, isFromRules: true });
    const params = { role: role.slug };
    await announceMember(ctx, 'member.added', projectId, { ...user, params });
    return;
  }
  if (!before.from_rules || before.role === role?.slug) return;
  const isLess = role === null || !includesAll(role.rights, before.rights);
  if (isLess && !mayRemove) return;
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
  const params = { role: role.slug, before: before.role };
  await announceMember(ctx, 'member.changed', projectId, { ...user, params });
}
