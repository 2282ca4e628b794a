// Roles on single objects. Nobody gives, changes or takes away more than they may do with the object themselves.

import type { Grant, GrantChange, GrantFilter, NewGrant } from '#shared/api/grants.ts';
import { canHaveLimits, isLimited, type GrantLimits } from '#shared/grants/limits.ts';
import { rightsAbout, type GrantedType } from '#shared/grants/granted-types.ts';
import { isBuiltIn, type Rights } from '#shared/rights.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../../context/context.ts';
import { inTransaction } from '../../context/transaction.ts';
import type { ObjectRef, ObjectRights } from '../../db/rights/object-rights.ts';
import { withShown } from '../../db/rights/object-rights.store.ts';
import { findObjectName } from '../../db/rights/named-object.store.ts';
import type { FoundRole } from '../../db/rights/role-rights.ts';
import { record } from '../../events/events.ts';
import { csvLine } from '../../lib/csv.ts';
import { fail, failFields, fieldError, lacksRight } from '../../lib/errors.ts';
import { readPage, type Page } from '../../lib/page.ts';
import { findMember, holdProject } from '../members/members.ts';
import { requireRights, requireRoleBySlug } from '../roles/roles.ts';
import {
  deleteGrant,
  findGrant,
  insertGrant,
  listGrants,
  updateGrant,
  type GrantWithRights,
  type Readable,
} from './grants.store.ts';

/** Who gives, and what they may do with the objects of the project. */
export interface GrantGiver {
  userId: number;
  rights: Rights;
  /** Null: what `rights` says, on each object. */
  objects: ObjectRights | null;
}

export const rightsOn = ({ rights, objects }: GrantGiver, object: ObjectRef): Rights =>
  objects ? objects.on(object) : rights;

export const refOf = (object: { object_type: GrantedType; object_id: number }): ObjectRef => ({
  type: object.object_type,
  id: object.object_id,
});

/** The name of an object that the giver may give access to. Refuses one that they do not see like a missing one. */
export async function requireGiving(
  ctx: Context,
  projectId: number,
  object: ObjectRef,
  giver: GrantGiver,
): Promise<string> {
  const name = await findObjectName(ctx.db, projectId, object);
  const isSeen = !giver.objects || giver.objects.sees(object);
  if (name === null || !isSeen) throw fail('grant.object_missing');
  if (!rightsOn(giver, object).has('grant.edit')) {
    throw lacksRight('grant.edit');
  }
  return name;
}

/** Refuses when the giver lacks a right that the role gives on the object, or on something that a view shows. */
async function requireGrantable(
  { db }: Context,
  projectId: number,
  { giver, object }: { giver: GrantGiver; object: ObjectRef },
  rights: Rights,
): Promise<void> {
  for (const one of await withShown(db, projectId, object)) {
    requireRights({ rights: rightsOn(giver, one) }, rightsAbout(one.type, rights));
  }
}

/** Null: all. */
const readableBy = ({ userId, rights, objects }: GrantGiver): Readable =>
  rights.has('grant.edit')
    ? null
    : { userId, objects: objects ? objects.grantedWith('grant.edit') : [] };

const PAGE_SIZE = 1000;

export function getGrants(
  ctx: Context,
  projectId: number,
  query: GrantFilter & { limit?: number | undefined; before?: number | undefined },
  giver: GrantGiver,
): Promise<Page<Grant>> {
  const { limit = PAGE_SIZE } = query;
  const readable = readableBy(giver);
  return readPage(limit, (count) =>
    listGrants(ctx.db, projectId, { ...query, limit: count }, readable),
  );
}

const heads = ['user', 'name', 'type', 'object', 'role', 'limits', 'given by', 'created'];

export async function* grantsAsCsv(
  ctx: Context,
  projectId: number,
  filter: GrantFilter,
): AsyncGenerator<string> {
  yield csvLine(heads);
  for (let before: number | undefined; ;) {
    const page = await listGrants(ctx.db, projectId, { ...filter, limit: PAGE_SIZE, before }, null);
    yield page.map((grant) => csvLine(cellsOf(grant))).join('');
    if (page.length < PAGE_SIZE) return;
    before = page.at(-1)?.id;
  }
}

const cellsOf = (grant: Grant) => [
  grant.username,
  grant.user_name,
  grant.object_type,
  grant.object_name,
  grant.role_name,
  isLimited(grant.limits) ? JSON.stringify(grant.limits) : '',
  grant.from_rules ? 'group rule' : grant.granted_by,
  grant.created,
];

function checkLimits({ type }: ObjectRef, limits: GrantLimits): void {
  if (!canHaveLimits(type, limits)) throw failFields(fieldError('limits', 'grant.limits_unfit'));
}

export async function createGrant(
  ctx: Context,
  projectId: number,
  input: NewGrant,
  giver: GrantGiver,
): Promise<Grant> {
  const object = refOf(input);
  checkLimits(object, input.limits);
  return inTransaction(ctx, async (inner) => {
    const { db } = inner;
    await holdProject(db, projectId);
    const name = await requireGiving(inner, projectId, object, giver);
    const role = await requireRoleBySlug(db, projectId, input.role);
    await requireGrantable(inner, projectId, { giver, object }, role.rights);
    const member = await findMember(db, projectId, input.user_id);
    if (!member) throw failFields(fieldError('user_id', 'grant.no_member'));
    const id = await insertGrant(db, projectId, {
      userId: input.user_id,
      object,
      role,
      limits: input.limits,
      grantedBy: giver.userId,
      created: ctx.clock.now().toISOString(),
    });
    await recordGrant(inner, projectId, 'grant.created', {
      object,
      name,
      role,
      user: member.username,
    });
    return requireGrant(inner, projectId, id);
  });
}

async function requireGrant(
  { db }: Context,
  projectId: number,
  id: number,
): Promise<GrantWithRights> {
  const grant = await findGrant(db, projectId, id);
  if (!grant) throw fail('grant.not_found');
  return grant;
}

/** One that the giver could give. */
export async function requireOwnGrant(
  ctx: Context,
  projectId: number,
  id: number,
  giver: GrantGiver,
): Promise<GrantWithRights> {
  const grant = await requireGrant(ctx, projectId, id);
  const object = refOf(grant);
  if (giver.objects && !giver.objects.sees(object)) throw fail('grant.not_found');
  if (!rightsOn(giver, object).has('grant.edit')) {
    throw lacksRight('grant.edit');
  }
  return grant;
}

export async function changeGrant(
  ctx: Context,
  projectId: number,
  { id, ...input }: GrantChange & { id: number },
  giver: GrantGiver,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    await holdProject(inner.db, projectId);
    const before = await requireOwnGrant(inner, projectId, id, giver);
    const object = refOf(before);
    checkLimits(object, input.limits);
    const role = await requireRoleBySlug(inner.db, projectId, input.role);
    for (const rights of [before.rights, role.rights]) {
      await requireGrantable(inner, projectId, { giver, object }, rights);
    }
    await updateGrant(inner.db, id, { role, limits: input.limits, grantedBy: giver.userId });
    const { object_name: name, username: user } = before;
    await recordGrant(inner, projectId, 'grant.changed', { object, name, role, user });
  });
}

export async function removeGrant(
  ctx: Context,
  projectId: number,
  id: number,
  giver: GrantGiver,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    await holdProject(inner.db, projectId);
    const grant = await requireOwnGrant(inner, projectId, id, giver);
    const object = refOf(grant);
    await requireGrantable(inner, projectId, { giver, object }, grant.rights);
    await deleteGrant(inner.db, id);
    const { object_name: name, username: user } = grant;
    const role = { slug: grant.role, name: grant.role_name };
    await recordGrant(inner, projectId, 'grant.deleted', { object, name, role, user });
  });
}

export function recordGrant(
  ctx: Context,
  projectId: number,
  code: Extract<EventCode, `grant.${string}`>,
  {
    object,
    name,
    role,
    user,
  }: { object: ObjectRef; name: string; role: Pick<FoundRole, 'slug' | 'name'>; user: string },
): Promise<void> {
  ctx.hub.publish('resource.changed', { projectId, noun: 'grants' });
  // The console translates the built-in ones.
  const params = { role: isBuiltIn(role.slug) ? role.slug : role.name, user };
  return record(ctx, { code, projectId, object: { ...object, name }, params });
}
