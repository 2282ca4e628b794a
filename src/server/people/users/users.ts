// Creates, changes and finds users. accounts.ts checks permissions.

import { randomInt } from 'node:crypto';
import type { User } from '#shared/api/users.ts';
import type { EventCode } from '#shared/catalogue/recorded-events.ts';
import type { Context } from '../../context/context.ts';
import type { Db } from '../../db/open.ts';
import { record } from '../../events/events.ts';
import { ConfigError } from '../../../node/config-error.ts';
import { fail, failFields } from '../../lib/errors.ts';
import { inTransaction } from '../../context/transaction.ts';
import { removeFirstPassword, writeFirstPassword, faultsOf, hashPassword } from './password.ts';
import {
  findUser,
  findUserRow,
  insertUser,
  hasUsers,
  listAdminIds,
  lockUser,
  toUser,
  updateUser,
  listUsers,
  removeUser,
  type UserRow,
  type StoredUser,
} from './users.store.ts';

export type { StoredUser };
// Before a user is removed, the caller handles the projects of the user.
export {
  lockUser as holdUser,
  findUser as findUserOf,
  listUsers as listAllUsers,
  removeUser as dropUser,
};

export type Credentials = Pick<
  UserRow,
  'id' | 'username' | 'password_hash' | 'admin' | 'second_factor_secret' | 'second_factor_since'
>;

/** By login or e-mail address, with the password hash. */
export async function findCredentials(db: Db, login: string): Promise<Credentials | null> {
  return findUserRow(db, 'either', login);
}

/** The account data for sign-in at a provider. */
export type Account = Credentials & Pick<UserRow, 'external'>;

export const findAccount = (
  db: Db,
  column: 'username' | 'email' | 'either',
  value: string,
): Promise<Account | null> => findUserRow(db, column, value);

export interface NewUserValues {
  username: string;
  name: string;
  email: string;
  /** Null for external users, and for users who cannot sign in until a password is set. */
  password: string | null;
  /** Defaults to true without a password. */
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

export type UserValues = {
  [Name in Exclude<keyof NewUserValues, 'external'>]?:
    | Exclude<NewUserValues[Name], null>
    | undefined;
};

const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** `revision`: that of the caller's copy, for optimistic locking. */
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
    // A manual change exempts the right from group rules.
    const isByHand = admin !== undefined && admin !== before.admin;
    const marks = isByHand ? { admin_from_rules: false } : {};
    if (!(await updateUser(db, id, { ...values, ...marks }, revision))) throw fail('request.stale');
    await recordUser(inner, 'user.changed', before);
    if (hash !== undefined) await recordUser(inner, 'user.password_changed', before);
    if (admin === undefined || admin === before.admin) return;
    await recordUser(inner, admin ? 'user.promoted' : 'user.demoted', before);
  });
}

/** Locks all administrators first, in order, so that two who remove each other leave one. */
export async function holdAsReplaceable(db: Db, id: number): Promise<void> {
  for (const adminId of await listAdminIds(db)) await lockUser(db, adminId);
  await lockUser(db, id);
  const admins = await listAdminIds(db);
  if (admins.includes(id) && admins.length === 1) throw fail('user.last_admin');
}

export async function requireUserOf(db: Db, id: number): Promise<StoredUser> {
  const user = await findUser(db, id);
  if (!user) throw fail('user.not_found');
  return user;
}

export async function requireUser(
  ctx: Context,
  column: 'username' | 'email',
  value: string,
): Promise<StoredUser> {
  const row = await findUserRow(ctx.db, column, value);
  if (!row) throw fail('user.not_found');
  return toUser(row);
}

/** The random password that the server prints, or its file. */
export interface FirstAdmin {
  login: string;
  password: string | null;
  passwordFile: string | null;
}

/** Returns null if the installation has users. */
export async function createFirstAdmin(ctx: Context): Promise<FirstAdmin | null> {
  if (await hasUsers(ctx.db)) return null;
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
    // Another server has started concurrently.
    if (await hasUsers(ctx.db)) return null;
    throw error;
  }
  const isShown = password === null && passwordFile === null;
  return { login, password: isShown ? made : null, passwordFile };
}

// No ambiguous characters.
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export function randomPassword(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}
