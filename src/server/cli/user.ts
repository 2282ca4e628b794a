// `signalbox user …`: manages users without signing in.

import { text } from 'node:stream/consumers';
import type { StoredUser } from '../people/users/users.store.ts';
import type { Context } from '../context/context.ts';
import { removeSecondFactor } from '../people/second-factor/second-factor.ts';
import { unlock } from '../people/session/attempts.ts';
import { endWaitingOf } from '../automation/tasks/admission/launch-rights.ts';
import { deleteUser, endAccess } from '../people/accounts/accounts.ts';
import { changeUser, createUser, recordUser, requireUser } from '../people/users/users.ts';
import { listUsers } from '../people/users/users.store.ts';
import { print, type Surroundings } from './surroundings.ts';

export interface UserFlags {
  login?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
  admin?: boolean | undefined;
}

type UserCommand = (ctx: Context, flags: UserFlags, at: Surroundings) => Promise<void>;

type TextFlag = 'login' | 'name' | 'email' | 'password';

function needed(flags: UserFlags, name: TextFlag): string {
  const value = flags[name]?.trim();
  if (value) return value;
  throw Object.assign(new Error(`Argument --${name} required`), { code: 'ERR_PARSE_ARGS' });
}

/** `-` reads it from standard input, which hides it from process lists. */
async function passwordOf(flags: UserFlags, { input }: Surroundings): Promise<string | undefined> {
  if (flags.password !== '-') return flags.password;
  return (await text(input)).replace(/\r?\n$/, '');
}

// Not trimmed, as at sign-in: a password may contain spaces.
function neededPassword(password: string | undefined): string {
  return password || needed({}, 'password');
}

async function find(ctx: Context, flags: UserFlags): Promise<StoredUser> {
  return flags.email !== undefined && flags.login === undefined
    ? requireUser(ctx, 'email', needed(flags, 'email'))
    : requireUser(ctx, 'username', needed(flags, 'login'));
}

async function change(
  ctx: Context,
  user: StoredUser,
  flags: UserFlags,
  at: Surroundings,
): Promise<void> {
  const { login: username, name, email } = flags;
  const password = await passwordOf(flags, at);
  // An empty text is a mistake, such as an unset variable in a script.
  const given = (['login', 'name', 'email'] as const).filter((flag) => flags[flag] !== undefined);
  for (const flag of given) needed(flags, flag);
  if (password !== undefined) neededPassword(password);
  await changeUser(ctx, user.id, { username, name, email, password, admin: flags.admin });
  if (password !== undefined) await endAccess(ctx, user.id);
  print(at, `User ${user.username} changed.`);
}

async function unlockUser(ctx: Context, flags: UserFlags, at: Surroundings): Promise<void> {
  const user = await find(ctx, flags);
  const wasCounted = await unlock(ctx, user);
  if (wasCounted) await recordUser(ctx, 'user.unlocked', user);
  print(
    at,
    wasCounted ? `User ${user.username} unlocked.` : `User ${user.username} is not slowed down.`,
  );
}

async function list({ db }: Context, _flags: UserFlags, at: Surroundings): Promise<void> {
  for (const { username } of await listUsers(db)) print(at, username);
}

async function add(ctx: Context, flags: UserFlags, at: Surroundings): Promise<void> {
  const user = await createUser(ctx, {
    username: needed(flags, 'login'),
    name: needed(flags, 'name'),
    email: needed(flags, 'email'),
    password: neededPassword(await passwordOf(flags, at)),
    admin: flags.admin ?? false,
  });
  print(at, `User ${user.username} <${user.email}> added!`);
}

async function show(ctx: Context, flags: UserFlags, at: Surroundings): Promise<void> {
  const user = await find(ctx, flags);
  print(at, `ID: ${user.id}\nCreated: ${user.created}\nLogin: ${user.username}`);
  print(at, `Name: ${user.name}\nEmail: ${user.email}\nAdmin: ${user.admin}`);
}

async function remove(ctx: Context, flags: UserFlags, at: Surroundings): Promise<void> {
  const user = await find(ctx, flags);
  await deleteUser(ctx, user.id, endWaitingOf);
  print(at, `User ${user.username} deleted.`);
}

async function removeFactor(ctx: Context, flags: UserFlags, at: Surroundings): Promise<void> {
  const user = await find(ctx, flags);
  await removeSecondFactor(ctx, user.id);
  print(at, `User ${user.username} signs in without a second factor now.`);
}

export const userCommands: Record<string, UserCommand> = {
  list,
  add,
  get: show,
  async 'change-by-login'(ctx, { login, ...rest }, at) {
    await change(ctx, await requireUser(ctx, 'username', needed({ login }, 'login')), rest, at);
  },
  async 'change-by-email'(ctx, { email, ...rest }, at) {
    await change(ctx, await requireUser(ctx, 'email', needed({ email }, 'email')), rest, at);
  },
  delete: remove,
  unlock: unlockUser,
  'remove-second-factor': removeFactor,
};
