import { randomInt } from 'node:crypto';
import type { User } from '#shared/api/users.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/open.ts';
import { toFlag } from '../db/row.ts';
import { fail } from '../errors.ts';
import { hashPassword } from './password.ts';
import {
  countAdmins,
  findUserRow,
  insertUser,
  isAnybodyThere,
  removeUser,
  toUser,
  updateUser,
} from './users.store.ts';

/** The user with this login or e-mail address, with the hash of the password. */
export async function findCredentials(
  db: Db,
  login: string,
): Promise<{ id: number; password_hash: string | null } | null> {
  return findUserRow(db, 'either', login);
}

export interface NewUser {
  username: string;
  name: string;
  email: string;
  password: string;
  admin: boolean;
}

export async function createUser(ctx: Context, input: NewUser): Promise<User> {
  return insertUser(ctx.db, {
    created: ctx.clock.now().toISOString(),
    username: input.username.toLowerCase(),
    name: input.name,
    email: input.email.toLowerCase(),
    password_hash: await hashPassword(input.password),
    admin: toFlag(input.admin),
    external: 0,
    alert: 0,
  });
}

export interface UserChange {
  username?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
  admin?: boolean | undefined;
}

export async function changeUser(ctx: Context, id: number, change: UserChange): Promise<void> {
  const { username, name, email, password, admin } = change;
  await updateUser(ctx.db, id, {
    ...(username !== undefined && { username: username.toLowerCase() }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email: email.toLowerCase() }),
    ...(password !== undefined && { password_hash: await hashPassword(password) }),
    ...(admin !== undefined && { admin: toFlag(admin) }),
  });
}

/** The user with this username or e-mail address; refuses when there is none. */
export async function requireUser(
  ctx: Context,
  column: 'username' | 'email',
  value: string,
): Promise<User> {
  const row = await findUserRow(ctx.db, column, value);
  if (!row) throw fail('user.not_found');
  return toUser(row);
}

export async function deleteUser(ctx: Context, user: User): Promise<void> {
  if (user.admin && (await countAdmins(ctx.db)) === 1) throw fail('user.last_admin');
  await removeUser(ctx.db, user.id);
}

/** Makes the first administrator of an empty installation; answers a password that was made up. */
export async function createFirstAdmin(
  ctx: Context,
): Promise<{ login: string; password: string | null } | null> {
  if (await isAnybodyThere(ctx.db)) return null;
  const { login, name, email, password } = ctx.config.admin;
  const made = password ?? randomPassword(20);
  await createUser(ctx, { username: login, name, email, password: made, admin: true });
  return { login, password: password === null ? made : null };
}

// Without letters and digits that look alike.
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export function randomPassword(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}
