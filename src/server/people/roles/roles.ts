// Roles of one's own. Nobody makes, changes or deletes a role that has a right which they lack.

import type { CustomRole, NewRole, RoleChange } from '#shared/api/roles.ts';
import {
  allRights,
  builtInRights,
  includesAll,
  isBuiltIn,
  type Right,
  type Rights,
  roleInfos,
  roleNameOf,
} from '#shared/rights.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import type { Db } from '../../db/open.ts';
import type { Owner, Versioned } from '../../db/resource.ts';
import type { FoundRole } from '../../db/rights/role-rights.ts';
import { fail, failFields, fieldError, lacksRight } from '../../lib/errors.ts';
import { resource, type Target } from '../../resources/resource.ts';
import { countUses, findBySlug, holdRole, listRoles, roleStore } from './roles.store.ts';

const stored = resource(roleStore, 'roles', 'role');

export { listRoles };

/** Those of the project itself. */
export const listOwnRoles = ({ db }: Context, projectId: number): Promise<CustomRole[]> =>
  roleStore.list(db, projectId);

/** Who makes or gives a role. Administrators and owners have all rights. */
export interface Giver {
  rights: Rights;
}

export const hasAllRights: Giver = { rights: allRights };

/** The role of a slug in a project; null when the project knows none. */
export async function findRoleBySlug(
  db: Db,
  projectId: Owner,
  slug: string,
): Promise<FoundRole | null> {
  if (isBuiltIn(slug)) {
    return { slug, id: null, name: roleNameOf(slug, null), rights: builtInRights[slug] };
  }
  const found = await findBySlug(db, projectId, slug);
  return found && { slug, id: found.id, name: found.name, rights: new Set(found.rights) };
}

/** Refuses a slug that the project does not know. */
export async function requireRoleBySlug(
  db: Db,
  projectId: Owner,
  slug: string,
): Promise<FoundRole> {
  const found = await findRoleBySlug(db, projectId, slug);
  if (!found) throw failFields(fieldError('role', 'member.role_unknown'));
  return found;
}

/** Refuses when the giver lacks one of the rights. */
export function requireRights(giver: Giver, rights: Iterable<Right>): void {
  const wanted = new Set(rights);
  if (includesAll(giver.rights, wanted)) return;
  const lacking = [...wanted].filter((right) => !giver.rights.has(right));
  throw fail('permission.beyond', { rights: lacking.join(', ') });
}

/** One that belongs to the project, or to the installation, which null stands for too. */
export async function requireRole(
  ctx: Context,
  owner: Owner,
  id: number,
): Promise<Versioned<CustomRole>> {
  const shared = owner === null ? null : await roleStore.find(ctx.db, null, id);
  return shared ?? stored.require(ctx, owner, id);
}

export async function createRole(
  ctx: Context,
  owner: Owner,
  { slug, ...input }: NewRole,
  giver: Giver,
): Promise<Versioned<CustomRole>> {
  requireRights(giver, input.rights);
  return inTransaction(ctx, async (inner) => {
    await refuseTakenName(inner, owner, input.name);
    const free = slug ?? (await freeSlug(inner, owner, input.name));
    if (await findRoleBySlug(inner.db, owner, free)) throw fail('role.slug_taken', { slug: free });
    return stored.create(inner, owner, { ...input, slug: free });
  });
}

export async function changeRole(
  ctx: Context,
  target: Target<Owner>,
  input: RoleChange,
  giver: Giver,
): Promise<void> {
  const { projectId: owner, id } = target;
  await inTransaction(ctx, async (inner) => {
    const before = await requireOwnRole(inner, owner, id);
    requireRights(giver, [...before.rights, ...input.rights]);
    const { grants } = await countUses(inner.db, before);
    // On objects on which the giver may have less than in the project.
    if (grants > 0 && !giver.rights.has('grant.edit')) {
      throw lacksRight('grant.edit');
    }
    if (input.name !== before.name) await refuseTakenName(inner, owner, input.name);
    await stored.change(inner, target, input);
  });
}

/** Refuses while somebody has it, or would get it. */
export async function removeRole(
  ctx: Context,
  owner: Owner,
  id: number,
  giver: Giver,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    await holdRole(inner.db, id);
    const role = await requireOwnRole(inner, owner, id);
    requireRights(giver, role.rights);
    const uses = await countUses(inner.db, role);
    if (Object.values(uses).some((amount) => amount > 0)) throw fail('role.in_use', { ...uses });
    await stored.remove(inner, owner, id);
  });
}

/** In a project, those of the installation can be given but not changed. */
async function requireOwnRole(ctx: Context, owner: Owner, id: number): Promise<CustomRole> {
  const role = await requireRole(ctx, owner, id);
  if (role.project_id !== owner) throw fail('role.of_installation');
  return role;
}

/** A role must not look like a built-in one, or in a project like one of the installation. */
async function refuseTakenName({ db }: Context, owner: Owner, name: string): Promise<void> {
  const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  const shared = owner === null ? [] : await roleStore.list(db, null);
  const taken = [...roleInfos, ...shared].map((role) => role.name);
  if (taken.some(same)) throw fail('role.name_taken', { name });
}

const MAX_SLUG_LENGTH = 20;

/** The first words of a name that fit, from the first one that begins with a letter. */
function slugOf(name: string, max: number): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const from = words.findIndex((word) => /^[a-z]/.test(word));
  const [first = 'role', ...others] = from < 0 ? [] : words.slice(from);
  let slug = first.slice(0, max);
  for (const word of others) {
    if (slug.length + 1 + word.length > max) break;
    slug += `-${word}`;
  }
  return slug;
}

/** With a number if another role has it. */
async function freeSlug({ db }: Context, owner: Owner, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const slug = `${slugOf(name, MAX_SLUG_LENGTH - end.length)}${end}`;
    if (!(await findRoleBySlug(db, owner, slug))) return slug;
  }
}
