// Applies group rules to roles on single objects; those that somebody gave stay.

import { isDeepStrictEqual } from 'node:util';
import type { GrantLimits } from '#shared/grants/limits.ts';
import type { Context } from '../../context/context.ts';
import { findObjectName } from '../../db/rights/named-object.store.ts';
import type { ObjectRef } from '../../db/rights/object-rights.ts';
import type { FoundRole } from '../../db/rights/role-rights.ts';
import { holdMember } from '../members/members.ts';
import { recordGrant, refOf } from './grants.ts';
import { deleteGrant, insertGrant, listGrantsFromRules } from './grants.store.ts';

/** A role on an object, as a rule gives it. */
export interface RuleGrant {
  projectId: number;
  object: ObjectRef;
  role: FoundRole;
  limits: GrantLimits;
}

interface RuleUser {
  id: number;
  username: string;
}

/** The caller has locked the user and applied the rules to their roles in projects. Only members get grants; they are taken away only if `mayRemove`. */
export async function syncGrants(
  ctx: Context,
  user: RuleUser,
  { wanted, mayRemove }: { wanted: RuleGrant[]; mayRemove: boolean },
): Promise<void> {
  const left = await listGrantsFromRules(ctx.db, user.id);
  const given: RuleGrant[] = [];
  for (const grant of wanted) {
    if (given.some((one) => isDeepStrictEqual(keyOf(one), keyOf(grant)))) continue;
    given.push(grant);
    const at = left.findIndex((one) =>
      isDeepStrictEqual([one.projectId, refOf(one), one.role, one.limits], keyOf(grant)),
    );
    if (at < 0) await give(ctx, user, grant);
    else left.splice(at, 1);
  }
  if (!mayRemove) return;
  for (const grant of left) {
    await deleteGrant(ctx.db, grant.id);
    await recordGrant(ctx, grant.projectId, 'grant.deleted', {
      object: refOf(grant),
      name: grant.object_name,
      role: { slug: grant.role, name: grant.role_name },
      user: user.username,
    });
  }
}

const keyOf = ({ projectId, object, role, limits }: RuleGrant) => [
  projectId,
  object,
  role.slug,
  limits,
];

async function give(
  ctx: Context,
  user: RuleUser,
  { projectId, object, role, limits }: RuleGrant,
): Promise<void> {
  const name = await findObjectName(ctx.db, projectId, object);
  if (name === null || !(await holdMember(ctx.db, projectId, user.id))) return;
  const created = ctx.clock.now().toISOString();
  const values = { userId: user.id, object, role, limits, created };
  await insertGrant(ctx.db, projectId, { ...values, grantedBy: null, isFromRules: true });
  await recordGrant(ctx, projectId, 'grant.created', { object, name, role, user: user.username });
}
