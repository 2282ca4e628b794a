// `signalbox user …`: for administrators who cannot sign in.

import { text } from 'node:stream/consumers';
import type { User } from '#shared/api/users.ts';
import type { Context } from '../context.ts';
import { deleteUser, endAccess } from '../users/accounts.ts';
import { changeUser, createUser, requireUser } from '../users/users.ts';
import { listUsers } from '../users/users.store.ts';
import { print } from './print.ts';

export interface UserFlags {
  login?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  password?: string | undefined;
  admin?: boolean | undefined;
}

export type UserCommand = (ctx: Context, flags: UserFlags) => Promise<void>;

type TextFlag = 'login' | 'name' | 'email' | 'password';

function needed(flags: UserFlags, name: TextFlag): string {
  const value = flags[name]?.trim();
  if (value) return value;
  throw Object.assign(new Error(`Argument --${name} required`), { code: 'ERR_PARSE_ARGS' });
}

/** `-` reads the password from standard input, so that no list of processes shows it. */
async function passwordOf(flags: UserFlags): Promise<string | undefined> {
  if (flags.password !== '-') return flags.password;
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

// Not trimmed: a space may belong to it, and signing in takes it as it is.
function neededPassword(password: string | undefined): string {
  return password || needed({}, 'password');
}

async function find(ctx: Context, flags: UserFlags): Promise<User> {
  return flags.email !== undefined && flags.login === undefined
    ? requireUser(ctx, 'email', needed(flags, 'email'))
    : requireUser(ctx, 'username', needed(flags, 'login'));
}

async function change(ctx: Context, user: User, flags: UserFlags): Promise<void> {
  const { login: username, name, email } = flags;
  const password = await passwordOf(flags);
  // An empty text is a slip, such as a variable of a script that is not set.
  const given = (['login', 'name', 'email'] as const).filter((flag) => flags[flag] !== undefined);
  for (const flag of given) needed(flags, flag);
  if (password !== undefined) neededPassword(password);
  await changeUser(ctx, user.id, { username, name, email, password, admin: flags.admin });
  if (password !== undefined) await endAccess(ctx, user.id);
  print(`User ${user.username} changed.`);
}

export const userCommands: Record<string, UserCommand> = {
  async list(ctx) {
    for (const { username } of await listUsers(ctx.db)) print(username);
  },
  async add(ctx, flags) {
    const user = await createUser(ctx, {
      username: needed(flags, 'login'),
      name: needed(flags, 'name'),
      email: needed(flags, 'email'),
      password: neededPassword(await passwordOf(flags)),
      admin: flags.admin ?? false,
    });
    print(`User ${user.username} <${user.email}> added!`);
  },
  async get(ctx, flags) {
    const user = await find(ctx, flags);
    print(`ID: ${user.id}\nCreated: ${user.created}\nLogin: ${user.username}`);
    print(`Name: ${user.name}\nEmail: ${user.email}\nAdmin: ${user.admin}`);
  },
  async 'change-by-login'(ctx, flags) {
    const { login, ...rest } = flags;
    await change(ctx, await requireUser(ctx, 'username', needed({ login }, 'login')), rest);
  },
  async 'change-by-email'(ctx, flags) {
    const { email, ...rest } = flags;
    await change(ctx, await requireUser(ctx, 'email', needed({ email }, 'email')), rest);
  },
  async delete(ctx, flags) {
    const user = await find(ctx, flags);
    await deleteUser(ctx, user.id);
    print(`User ${user.username} deleted.`);
  },
};
