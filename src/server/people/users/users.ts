// The rows of users: creates, changes and finds them. accounts.ts decides who may do what to whom.

import { randomInt } from 'node:crypto';
import type { User } from '#shared/api/users.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../../context/context.ts';
import type { Db } from '../../db/open.ts';
import type { ListOptions } from '../../db/resource.ts';
import { record } from '../../events/events.ts';
import { ConfigError } from '../../../node/config-error.ts';
import { fail, failFields } from '../../lib/errors.ts';
import { inTransaction } from '../../context/transaction.ts';
import { removeFirstPassword, writeFirstPassword } from './first-password.ts';
import { faultsOf } from './password-policy.ts';
import { hashPassword } from './password.ts';
import {
  findUser,
  findUserRow,
  insertUser,
  isAnybodyThere,
  listAdminIds,
  lockUser,
  toUser,
  updateUser,
  listUsers,
  removeUser,
  type UserRow,
  type StoredUser,
} from './users.store.ts';

export type { StoredUser } from './users.store.ts';

export type Credentials = Pick<
  UserRow,
  'id' | 'username' | 'password_hash' | 'admin' | 'second_factor_secret' | 'second_factor_since'
>;

/** The user with this login or e-mail address, with the hash of the password. */
export async function findCredentials(db: Db, login: string): Promise<Credentials | null> {
  return findUserRow(db, 'either', login);
}

/** What signing in at a provider has to know of an account. */
export type Account = Credentials & Pick<UserRow, 'external'>;

/** The account with this username, this e-mail address, or either. */
export const findAccount = (
  db: Db,
  column: 'username' | 'email' | 'either',
  value: string,
): Promise<Account | null> => findUserRow(db, column, value);

export interface NewUserValues {
  username: string;
  name: string;
  email: string;
  /** Null for a user who signs in at a provider, or who cannot sign in until a password is set. */
  password: string | null;
  /** Whether the user signs in at a provider; without this, everybody without a password does. */
  external?: boolean;
  admin: boolean;
  alert?: boolean;
  can_create_project?: boolean | undefined;
}

export async function createUser(ctx: Context, input: NewUserValues): Promise<StoredUser> {
  if (input.password !== null) checkPassword(ctx, input.password, input.username);
  // Hashed outside the transaction, because hashing is slow on purpose.
  const hash = input.password === null ? null : await hashPassword(input.password);
  return inTransaction(ctx, async (inner) => {
    const user = await insertUser(inner.db, {
      created: ctx.clock.now().toISOString(),
      username: input.username,
      name: input.name,
      email: input.email,
      password_hash: hash,
      admin: input.admin,
      external: input.external ?? input.password === null,
      alert: input.alert ?? false,
      can_create_project: input.can_create_project ?? null,
    });
    await recordUser(inner, 'user.created', user);
    if (input.admin) await recordUser(inner, 'user.promoted', user);
    return user;
  });
}

/** Records an event about an account or its sessions. */
export function recordUser(
  ctx: Context,
  code: Extract<EventCode, `user.${string}` | `session.${string}`>,
  { id, username }: Pick<User, 'id' | 'username'>,
): Promise<void> {
  return record(ctx, { code, projectId: null, object: { type: 'user', id, name: username } });
}

function checkPassword({ config }: Context, password: string, login: string): void {
  const faults = faultsOf(config, password, login);
  if (faults.length > 0) throw failFields(...faults);
}

export interface UserValues {
  username?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
  admin?: boolean | undefined;
  alert?: boolean | undefined;
  can_create_project?: boolean | undefined;
}

/** The fields that have a value. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** `revision` is that of the copy on which the change is based, if known. */
export async function changeUser(
  ctx: Context,
  id: number,
  change: UserValues,
  revision: number | null = null,
): Promise<void> {
  const { password, ...fields } = change;
  const { username, admin } = fields;
  if (password !== undefined) {
    checkPassword(ctx, password, username ?? (await requireUserOf(ctx.db, id)).username);
  }
  // Hashed outside the transaction, because hashing is slow on purpose.
  const hash = password === undefined ? undefined : await hashPassword(password);
  const values = {
    ...given(fields),
    ...(hash !== undefined && { password_hash: hash }),
  };
  await inTransaction(ctx, async (inner) => {
    const { db } = inner;
    if (admin === false) await holdAsReplaceable(db, id);
    const before = await requireUserOf(db, id);
    // Rules do not take back a right that somebody has given by hand.
    const isByHand = admin !== undefined && admin !== before.admin;
    const marks = isByHand ? { admin_from_rules: false } : {};
    if (!(await updateUser(db, id, { ...values, ...marks }, revision))) throw fail('request.stale');
    await recordUser(inner, 'user.changed', before);
    if (hash !== undefined) await recordUser(inner, 'user.password_changed', before);
    if (admin === undefined || admin === before.admin) return;
    await recordUser(inner, admin ? 'user.promoted' : 'user.demoted', before);
  });
}

/** Locks a user until the transaction ends; false if there is none with this id. */
export const holdUser = (db: Db, id: number): Promise<boolean> => lockUser(db, id);

/**
 * Locks a user who is about to lose the rights of an administrator, or to be deleted. All
 * administrators are locked first, in one order, so that of two who remove each other one stays.
 */
export async function holdAsReplaceable(db: Db, id: number): Promise<void> {
  for (const adminId of await listAdminIds(db)) await lockUser(db, adminId);
  await lockUser(db, id);
  const admins = await listAdminIds(db);
  if (admins.includes(id) && admins.length === 1) throw fail('user.last_admin');
}

/** Null if there is no user with this id. */
export const findUserOf = (db: Db, id: number): Promise<StoredUser | null> => findUser(db, id);

export const listAllUsers = (db: Db, options: ListOptions): Promise<StoredUser[]> =>
  listUsers(db, options);

/** Deletes only the user; callers have to check before what happens to their projects. */
export const dropUser = (db: Db, id: number): Promise<void> => removeUser(db, id);

/** The user with this id; refuses if there is none. */
export async function requireUserOf(db: Db, id: number): Promise<StoredUser> {
  const user = await findUser(db, id);
  if (!user) throw fail('user.not_found');
  return user;
}

/** The user with this username or e-mail address; refuses if there is none. */
export async function requireUser(
  ctx: Context,
  column: 'username' | 'email',
  value: string,
): Promise<StoredUser> {
  const row = await findUserRow(ctx.db, column, value);
  if (!row) throw fail('user.not_found');
  return toUser(row);
}

/** What a server says of the administrator that it has made: the random password, or its file. */
export interface FirstAdmin {
  login: string;
  password: string | null;
  passwordFile: string | null;
}

/** Makes the first administrator of an empty installation. */
export async function createFirstAdmin(ctx: Context): Promise<FirstAdmin | null> {
  if (await isAnybodyThere(ctx.db)) return null;
  const { admin, firstPasswordFile } = ctx.config;
  const { login, name, email, password } = admin;
  const [fault] = password === null ? [] : faultsOf(ctx.config, password, login);
  if (fault) {
    const hidden = 'SIGNALBOX_ADMIN_PASSWORD holds a value that is hidden here';
    throw new ConfigError(`${hidden}, but cannot be a password here: ${fault.message}.`);
  }
  const made = password ?? randomPassword(Math.max(20, ctx.config.passwordMinLength));
  const passwordFile = password === null ? firstPasswordFile : null;
  if (passwordFile !== null) await writeFirstPassword(passwordFile, made);
  try {
    await createUser(ctx, { username: login, name, email, password: made, admin: true });
  } catch (error) {
    await removeFirstPassword(ctx, login);
    // Another server with the same database has started at the same moment.
    if (await isAnybodyThere(ctx.db)) return null;
    throw error;
  }
  const isShown = password === null && passwordFile === null;
  return { login, password: isShown ? made : null, passwordFile };
}

// Without letters and digits that look alike.
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export function randomPassword(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}
