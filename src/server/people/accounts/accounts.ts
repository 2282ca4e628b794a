// What people may do to accounts, their own and those of others.

import {
  isEmailAddress,
  type NewUser,
  type PasswordChange,
  type User,
  type UserChange,
} from '#shared/api/users.ts';
import type { Context } from '../../context/context.ts';
import type { ListOptions } from '../../db/resource.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { holdMemberships } from '../members/members.ts';
import { endSessions } from '../session/session.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import { inTransaction } from '../../context/transaction.ts';
import { requirePassword } from '../identity/own-password.ts';
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

export interface Asker {
  userId: number;
  admin: boolean;
  sessionId: number | null;
  /** When the session began; null for a request with a token. */
  signedIn: string | null;
}

type ShownUser = User & { revision: number };

/** A user with the right to create projects, which the setting of the server gives unless it is set. */
const shown = ({ config }: Context, user: StoredUser): ShownUser => ({
  ...user,
  can_create_project: user.can_create_project ?? config.usersCreateProjects,
});

/** All users. The console offers their names as choices; only administrators see more. */
export async function getUsers(
  ctx: Context,
  asker: Asker,
  options: ListOptions = {},
): Promise<(User | Pick<User, 'id' | 'username' | 'name'>)[]> {
  const all = await listAllUsers(ctx.db, options);
  if (asker.admin) return all.map((user) => shown(ctx, user));
  return all.map(({ id, username, name }) => ({ id, username, name }));
}

/** The account of the asker; refuses if the account has just been deleted. */
export async function getOwnAccount(ctx: Context, { userId }: Asker): Promise<ShownUser> {
  const user = await findUserOf(ctx.db, userId);
  if (!user) throw fail('session.required');
  return shown(ctx, user);
}

/** An account: one's own, or any account for administrators. */
export async function getAccount(ctx: Context, asker: Asker, id: number): Promise<ShownUser> {
  if (!asker.admin && asker.userId !== id) throw fail('permission.admin_required');
  return shown(ctx, await requireUserOf(ctx.db, id));
}

export async function createAccount(ctx: Context, input: NewUser): Promise<User> {
  const { external = false, password = null, admin = false, alert = false, ...rest } = input;
  await checkLogin(ctx, null, input);
  const values = { ...rest, external, admin, alert, password: external ? null : password };
  return shown(ctx, await createUser(ctx, values));
}

export async function changeAccount(
  ctx: Context,
  asker: Asker,
  { id, revision, change: given }: { id: number; revision: number | null; change: UserChange },
): Promise<void> {
  const user = await getAccount(ctx, asker, id);
  const change = { ...given, ...flagsOf(asker, user, given), ...namesOf(user, given) };
  checkRights(asker, user, change);
  const changed = (['username', 'email'] as const).filter((name) => change[name] !== user[name]);
  if (user.external && changed.length > 0) {
    throw failFields(...changed.map((name) => fieldError(name, 'user.external_field')));
  }
  if (changed.includes('email') && !isEmailAddress(change.email)) {
    throw failFields(fieldError('email', 'user.email_invalid'));
  }
  await checkLogin(ctx, id, change);
  const { password, old_password: old, ...fields } = change;
  // People sign in with either, and the address links accounts of providers with this one.
  if ((changed.length > 0 || old) && password === undefined) {
    await requireProof(ctx, asker, user, old);
  }
  if (password === undefined) await changeUser(ctx, id, fields, revision);
  else await changePassword(ctx, asker, { user, password, old, fields, revision });
}

/** Refuses a change of rights to everybody but administrators, who cannot change their own. */
function checkRights(asker: Asker, user: User, change: UserChange): void {
  const isChanged = change.admin !== undefined && change.admin !== user.admin;
  const { can_create_project: mayCreate = user.can_create_project } = change;
  if (!asker.admin && (isChanged || mayCreate !== user.can_create_project)) {
    throw fail('permission.admin_required');
  }
  if (isChanged && asker.userId === user.id) throw fail('user.own_admin');
}

/** A provider decides over the spelling of login and address of its users. */
function namesOf({ external, username, email }: User, given: UserChange) {
  if (!external) return {};
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return {
    ...(isSame(username, given.username) && { username }),
    ...(isSame(email, given.email) && { email }),
  };
}

/**
 * A flag that is missing is off, as every optional field that a PUT leaves out. Only the right of an
 * administrator stays for those who cannot change it: users who do not have it, and oneself.
 */
function flagsOf(asker: Asker, user: User, { admin, alert, can_create_project }: UserChange) {
  const isOwnOrFixed = !asker.admin || asker.userId === user.id;
  // What only repeats the default of the server does not set it.
  const isSet = can_create_project !== user.can_create_project;
  return {
    admin: admin ?? (isOwnOrFixed && user.admin),
    alert: alert ?? false,
    can_create_project: isSet ? can_create_project : undefined,
  };
}

/**
 * People sign in with a login or an address, so no login may be the address of another user, and
 * the other way round. The database refuses two equal logins and two equal addresses.
 */
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

/** Sets a password, and ends the other sessions of this user. */
export async function setPassword(
  ctx: Context,
  asker: Asker,
  { id, password, old_password: old }: PasswordChange & { id: number },
): Promise<void> {
  const user = await getAccount(ctx, asker, id);
  await changePassword(ctx, asker, { user, password, old, fields: {}, revision: null });
}

interface NewPassword {
  user: User;
  password: string;
  old: string | undefined;
  /** Further fields that change in the same statement. */
  fields: UserValues;
  revision: number | null;
}

async function changePassword(
  ctx: Context,
  asker: Asker,
  { user, password, old, fields, revision }: NewPassword,
): Promise<void> {
  if (user.external) throw failFields(fieldError('password', 'user.external_field'));
  const isOwn = asker.userId === user.id;
  await requireProof(ctx, asker, user, old);
  await changeUser(ctx, user.id, { ...fields, password }, revision);
  await endAccess(ctx, user.id, isOwn ? asker.sessionId : null);
}

/** A change of password ends sessions that began with the old one, and removes the API tokens. */
export async function endAccess(
  ctx: Context,
  userId: number,
  keptSessionId: number | null = null,
): Promise<void> {
  await revokeTokens(ctx, userId);
  await endSessions(ctx, userId, keptSessionId);
}

// Milliseconds after a sign-in in which changes do not ask for the password again.
const freshness = 10 * 60_000;

/**
 * People who change how they sign in must have signed in just now, or know the password. A token is
 * never enough, because a stolen token could otherwise take over the account.
 */
async function requireProof(
  ctx: Context,
  asker: Asker,
  user: User,
  old: string | undefined,
): Promise<void> {
  const isOwn = asker.userId === user.id;
  if (isOwn && asker.signedIn === null) throw fail('permission.session_needed');
  // Also where none is needed: somebody who sends a password relies on its check.
  if (old) {
    const wrong = { path: 'old_password', code: 'user.old_password_wrong' } as const;
    await requirePassword(ctx, user, old, wrong);
    return;
  }
  if (!isOwn || asker.signedIn === null) return;
  const age = ctx.clock.now().getTime() - Date.parse(asker.signedIn);
  if (age > freshness) throw failFields(fieldError('old_password', 'user.old_password_required'));
}

export async function removeAccount(ctx: Context, asker: Asker, id: number): Promise<void> {
  if (asker.userId === id) throw fail('user.own_account');
  await deleteUser(ctx, id);
}

// The most names of projects in a sentence.
const named = 10;

/**
 * Deletes a user with their sessions and memberships; their tasks stay. No project loses its last
 * owner.
 */
export async function deleteUser(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const { db, hub } = inner;
    await holdAsReplaceable(db, id);
    const user = await requireUserOf(db, id);
    const { projectIds, ownedAlone } = await holdMemberships(db, id);
    if (ownedAlone.length > 0) {
      const names = ownedAlone.slice(0, named).map((name) => `"${name}"`);
      const projects = [...names, ...(ownedAlone.length > named ? ['…'] : [])].join(', ');
      throw fail('user.last_owner', { projects });
    }
    await dropUser(db, id);
    await recordUser(inner, 'user.deleted', user);
    for (const projectId of projectIds)
      hub.publish('resource.changed', { projectId, noun: 'members' });
  });
}
