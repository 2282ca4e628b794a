// The team of a project. Whoever takes an owner away holds the project meanwhile, so that two
// owners who remove each other leave one; users are held before projects.

import type { Member, NewMember } from '#shared/api/members.ts';
import type { Params } from '#shared/errors.ts';
import type { EventCode } from '#shared/events.ts';
import type { Role } from '#shared/permissions.ts';
import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import type { Db } from '../../db/open.ts';
import { record } from '../../events/events.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { inTransaction } from '../../context/transaction.ts';
import { holdUser } from '../users/users.ts';
import {
  deleteMember,
  findMember,
  findRole,
  hasOtherOwner,
  insertMember,
  listMemberships,
  lockProject,
  updateRole,
} from './members.store.ts';

export async function addMember(
  db: Db,
  projectId: number,
  userId: number,
  role: Role,
): Promise<void> {
  await insertMember(db, projectId, { userId, role });
}

/** Makes the queue and everybody who changes the team wait for the end of this transaction. */
export const holdProject = (db: Db, projectId: number): Promise<void> => lockProject(db, projectId);

/** Whether the project exists for this user. */
export async function seesProject(
  db: Db,
  { userId, admin }: { userId: number; admin: boolean },
  projectId: number,
): Promise<boolean> {
  const found = await findRole(db, projectId, userId);
  return found !== null && (admin || found.role !== null);
}

/** The projects that a caller may see, by their ids; null: all. */
export async function listVisible(
  db: Db,
  { userId, admin, token }: { userId: number; admin: boolean; token: TokenReach | null },
): Promise<number[] | null> {
  const only = token?.projectId ?? null;
  if (admin) return only === null ? null : [only];
  const own = (await listMemberships(db, userId)).map(({ projectId }) => projectId);
  return only === null ? own : own.filter((projectId) => projectId === only);
}

/** The one project that a token is for; null: it is for all. */
interface TokenReach {
  projectId: number | null;
}

/** The member; refuses when the project has none of this id. */
export async function requireMember(db: Db, projectId: number, userId: number): Promise<Member> {
  const member = await findMember(db, projectId, userId);
  if (!member) throw fail('member.not_found');
  return member;
}

/** Makes a user a member. */
export async function linkMember(
  ctx: Context,
  projectId: number,
  { user_id: userId, role }: NewMember,
): Promise<Member> {
  return inTransaction(ctx, async (inner) => {
    const { db } = inner;
    if (!(await holdUser(db, userId))) throw failFields(fieldError('user_id', 'member.no_user'));
    await refusing(insertMember(db, projectId, { userId, role }), {
      unique: () => fail('member.exists'),
      'foreign-key': () => fail('project.not_found'),
    });
    const member = await requireMember(db, projectId, userId);
    await tellOfMember(inner, 'member.added', projectId, { ...member, params: { role } });
    return member;
  });
}

type Told = Pick<Member, 'id' | 'username'> & { params?: Params };

/** Records what became of a member, and hints. */
export async function tellOfMember(
  ctx: Context,
  code: Extract<EventCode, `member.${string}`>,
  projectId: number,
  { id, username, params }: Told,
): Promise<void> {
  const object = { type: 'user', id, name: username } as const;
  await record(ctx, { code, projectId, object, ...(params && { params }) });
  ctx.hub.publish('changed', { projectId, noun: 'members' });
}

export async function changeRole(
  ctx: Context,
  projectId: number,
  userId: number,
  role: Role,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db } = inner;
    await holdUser(db, userId);
    await lockProject(db, projectId);
    const member = await requireMember(db, projectId, userId);
    if (role !== 'owner') await requireOtherOwner(db, projectId, member);
    // What somebody gives by hand, no rule takes back.
    await updateRole(db, projectId, userId, { role });
    const params = { role, before: member.role };
    await tellOfMember(inner, 'member.changed', projectId, { ...member, params });
  });
}

interface Removal {
  userId: number;
  /** Who ends the membership; owners do not end their own. */
  askerId: number;
}

/** Ends a membership, of oneself or of somebody else. */
export async function removeMember(
  ctx: Context,
  projectId: number,
  { userId, askerId }: Removal,
): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db } = inner;
    await holdUser(db, userId);
    await lockProject(db, projectId);
    const member = await requireMember(db, projectId, userId);
    await requireOtherOwner(db, projectId, member);
    if (userId === askerId && member.role === 'owner') throw fail('member.owner_leaves');
    await deleteMember(db, projectId, userId);
    await tellOfMember(inner, 'member.removed', projectId, member);
  });
}

async function requireOtherOwner(db: Db, projectId: number, { id, role }: Member): Promise<void> {
  if (role === 'owner' && !(await hasOtherOwner(db, projectId, id)))
    throw fail('member.last_owner');
}

/**
 * The projects of a user who is about to be deleted and is held already: they are held too until
 * the transaction ends. `ownedAlone` names those that would have no owner any more.
 */
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
