// What users may do to their own account and to those of others.

import {
  isEmailAddress,
  type NewUser,
  type PasswordChange,
  type User,
  type UserChange,
} from '#shared/api/users.ts';
import type { Context } from '../../context/context.ts';
import type { Actor } from '../../context/actor.ts';
import type { ListOptions } from '../../db/resource.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { holdMemberships } from '../members/members.ts';
import { endSessions } from '../session/session.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import { inTransaction } from '../../context/transaction.ts';
import { requirePassword } from '../identity/check-password.ts';
import {
  changeUser,
  createUser,
  dropUser,
  findAccount,
  findUserOf,
  holdAsReplaceable,
  listAllUsers,
  recordUser,
  requireUserOf,
  type UserValues,
  type StoredUser,
} from '../users/users.ts';
import type { Option } from '#shared/api/options.ts';
import { listOwnOptions, writeOwnOption } from './own-options.store.ts';

type AccountActor = Pick<Actor, 'userId' | 'admin' | 'sessionId' | 'signedIn'>;

type ShownUser = User & { revision: number };

/** Resolves the right to create projects, which defaults to the setting of the server. */
const toReply = ({ config }: Context, user: StoredUser): ShownUser => ({
  ...user,
  can_create_project: user.can_create_project ?? config.usersCreateProjects,
});

/** Only administrators see more than the names. */
export async function getUsers(
  ctx: Context,
  actor: AccountActor,
  options: ListOptions = {},
): Promise<(User | Pick<User, 'id' | 'username' | 'name'>)[]> {
  const all = await listAllUsers(ctx.db, options);
  if (actor.admin) return all.map((user) => toReply(ctx, user));
  return all.map(({ id, username, name }) => ({ id, username, name }));
}

/** Refuses if the account has just been deleted. */
export async function getOwnAccount(ctx: Context, { userId }: AccountActor): Promise<ShownUser> {
  const user = await findUserOf(ctx.db, userId);
  if (!user) throw fail('session.required');
  return toReply(ctx, user);
}

/** One's own account, or any account for administrators. */
export async function getAccount(
  ctx: Context,
  actor: AccountActor,
  id: number,
): Promise<ShownUser> {
  if (!actor.admin && actor.userId !== id) throw fail('permission.admin_required');
  return toReply(ctx, await requireUserOf(ctx.db, id));
}

export async function createAccount(ctx: Context, input: NewUser): Promise<User> {
  const { external = false, password = null, admin = false, alert = false, ...rest } = input;
  await checkLogin(ctx, null, input);
  const values = { ...rest, external, admin, alert, password: external ? null : password };
  return toReply(ctx, await createUser(ctx, values));
}

export async function changeAccount(
  ctx: Context,
  actor: AccountActor,
  { id, revision, change: given }: { id: number; revision: number | null; change: UserChange },
): Promise<void> {
  const user = await getAccount(ctx, actor, id);
  const change = { ...given, ...flagsOf(actor, user, given), ...namesOf(user, given) };
  checkRights(actor, user, change);
  const changed = (['username', 'email'] as const).filter((name) => change[name] !== user[name]);
  if (user.external && changed.length > 0) {
    throw failFields(...changed.map((name) => fieldError(name, 'user.external_field')));
  }
  if (changed.includes('email') && !isEmailAddress(change.email)) {
    throw failFields(fieldError('email', 'user.email_invalid'));
  }
  await checkLogin(ctx, id, change);
  const { password, old_password: old, ...fields } = change;
  // Both identify the user at sign-in, and the address links accounts of providers.
  if ((changed.length > 0 || old) && password === undefined) {
    await requireProof(ctx, actor, user, old);
  }
  if (password === undefined) await changeUser(ctx, id, fields, revision);
  else await changePassword(ctx, actor, { user, password, old, fields, revision });
}

/** Only administrators change rights, and not their own. */
function checkRights(actor: AccountActor, user: User, change: UserChange): void {
  const isChanged = change.admin !== undefined && change.admin !== user.admin;
  const { can_create_project: mayCreate = user.can_create_project } = change;
  if (!actor.admin && (isChanged || mayCreate !== user.can_create_project)) {
    throw fail('permission.admin_required');
  }
  if (isChanged && actor.userId === user.id) throw fail('user.own_admin');
}

/** The provider decides the spelling of login and address of its users. */
function namesOf({ external, username, email }: User, given: UserChange) {
  if (!external) return {};
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return {
    ...(isSame(username, given.username) && { username }),
    ...(isSame(email, given.email) && { email }),
  };
}

/** A missing flag is off, except the admin flag for other users and oneself, who cannot change it. */
function flagsOf(
  actor: AccountActor,
  user: User,
  { admin, alert, can_create_project }: UserChange,
) {
  const isOwnOrFixed = !actor.admin || actor.userId === user.id;
  // A value that equals the default does not override it.
  const isSet = can_create_project !== user.can_create_project;
  return {
    admin: admin ?? (isOwnOrFixed && user.admin),
    alert: alert ?? false,
    can_create_project: isSet ? can_create_project : undefined,
  };
}

/** Both are valid at sign-in, so no login may be another user's address. Unique indexes cover the rest. */
async function checkLogin(
  { db }: Context,
  id: number | null,
  { username, email }: Pick<User, 'username' | 'email'>,
): Promise<void> {
  const isOfAnother = (row: { id: number } | null): boolean => row !== null && row.id !== id;
  if (isOfAnother(await findAccount(db, 'email', username))) {
    throw fail('user.username_taken', { username });
  }
  if (isOfAnother(await findAccount(db, 'username', email))) {
    throw fail('user.email_taken', { email });
  }
}

export async function setPassword(
  ctx: Context,
  actor: AccountActor,
  { id, password, old_password: old }: PasswordChange & { id: number },
): Promise<void> {
  const user = await getAccount(ctx, actor, id);
  await changePassword(ctx, actor, { user, password, old, fields: {}, revision: null });
}

interface NewPassword {
  user: User;
  password: string;
  old: string | undefined;
  /** Changed in the same statement. */
  fields: UserValues;
  revision: number | null;
}

async function changePassword(
  ctx: Context,
  actor: AccountActor,
  { user, password, old, fields, revision }: NewPassword,
): Promise<void> {
  if (user.external) throw failFields(fieldError('password', 'user.external_field'));
  const isOwn = actor.userId === user.id;
  await requireProof(ctx, actor, user, old);
  await changeUser(ctx, user.id, { ...fields, password }, revision);
  await endAccess(ctx, user.id, isOwn ? actor.sessionId : null);
}

/** Ends sessions and revokes API tokens after a change of password. */
export async function endAccess(
  ctx: Context,
  userId: number,
  keptSessionId: number | null = null,
): Promise<void> {
  await revokeTokens(ctx, userId);
  await endSessions(ctx, userId, keptSessionId);
}

// After a sign-in, changes do not require the password.
const REAUTHENTICATION_MS = 10 * 60_000;

/** Requires a recent sign-in or the password. A stolen token must not suffice to take over the account. */
async function requireProof(
  ctx: Context,
  actor: AccountActor,
  user: User,
  old: string | undefined,
): Promise<void> {
  const isOwn = actor.userId === user.id;
  if (isOwn && actor.signedIn === null) throw fail('permission.session_needed');
  // A password that was sent is always checked.
  if (old) {
    const wrong = { path: 'old_password', code: 'user.old_password_wrong' } as const;
    await requirePassword(ctx, user, old, wrong);
    return;
  }
  if (!isOwn || actor.signedIn === null) return;
  const age = ctx.clock.now().getTime() - Date.parse(actor.signedIn);
  if (age > REAUTHENTICATION_MS)
    throw failFields(fieldError('old_password', 'user.old_password_required'));
}

/** Ends the waiting tasks of a user; injected, because people do not depend on tasks. */
export type EndWaiting = (ctx: Context, userId: number) => Promise<void>;

export async function removeAccount(
  ctx: Context,
  actor: AccountActor,
  { id, endWaiting }: { id: number; endWaiting: EndWaiting },
): Promise<void> {
  if (actor.userId === id) throw fail('user.own_account');
  await deleteUser(ctx, id, endWaiting);
}

const MAX_LISTED_PROJECTS = 10;

/** Deletes sessions and memberships too, but no tasks. No project may lose its last owner. */
export async function deleteUser(ctx: Context, id: number, endWaiting: EndWaiting): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    await holdAsReplaceable(db, id);
    const user = await requireUserOf(db, id);
    const { projectIds, ownedAlone } = await holdMemberships(db, id);
    if (ownedAlone.length > 0) {
      const names = ownedAlone.slice(0, MAX_LISTED_PROJECTS).map((name) => `"${name}"`);
      const projects = [...names, ...(ownedAlone.length > MAX_LISTED_PROJECTS ? ['…'] : [])].join(
        ', ',
      );
      throw fail('user.last_owner', { projects });
    }
    await endWaiting(inner, id);
    await dropUser(db, id);
    await recordUser(inner, 'user.deleted', user);
    for (const projectId of projectIds)
      hub.publish('resource.changed', { projectId, noun: 'members' });
  });
}

// Options that clients store for their users; the server does not use them.

const MAX_OPTIONS = 100;

export async function getOwnOptions(
  { db }: Context,
  userId: number,
): Promise<Record<string, string>> {
  const list = await listOwnOptions(db, userId);
  return Object.fromEntries(list.map(({ key, value }) => [key, value]));
}

export async function setOwnOption(ctx: Context, userId: number, option: Option): Promise<Option> {
  return inTransaction(ctx, async ({ db }) => {
    await writeOwnOption(db, userId, option);
    if ((await listOwnOptions(db, userId)).length > MAX_OPTIONS) {
      throw failFields(fieldError('key', 'field.too_many', { max: MAX_OPTIONS }));
    }
    return option;
  });
}
