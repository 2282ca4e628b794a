// Finds the linked account, one with the same verified e-mail address, or creates one.

import { randomBytes } from 'node:crypto';
import { isEmailAddress } from '#shared/api/users.ts';
import type { accountRules, Directory } from '../../config/directory-settings.ts';
import type { Context } from '../../context/context.ts';
import { refusing } from '../../db/conflict.ts';
import { AppError, fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  changeUser,
  createUser,
  findAccount,
  requireUserOf,
  type Account,
} from '../users/users.ts';
import { applyRules } from './group-rules.ts';
import { findIdentity, insertIdentity, listIdentities } from './identity.store.ts';
import type { Person } from './person.ts';

type AccountRules = Pick<Directory, keyof typeof accountRules>;

/** Finds or creates the account and applies the group rules. */
export async function findOrMakeAccount(
  ctx: Context,
  person: Person,
  rules: AccountRules,
): Promise<Account> {
  const work = (inner: Context): Promise<Account> => findOrCreate(inner, person, rules);
  try {
    return await inTransaction(ctx, work);
  } catch (error) {
    // The account was created concurrently, mostly from another tab.
    const isTaken = error instanceof AppError && error.status === 409;
    if (!isTaken) throw error;
    return inTransaction(ctx, work);
  }
}

async function findOrCreate(ctx: Context, person: Person, rules: AccountRules): Promise<Account> {
  const id =
    (await findLinked(ctx, person)) ??
    (await linkByEmail(ctx, person, rules)) ??
    (await makeAccount(ctx, person, rules));
  const { username } = await requireUserOf(ctx.db, id);
  await applyRules(ctx, { id, username }, person);
  const account = await findAccount(ctx.db, 'username', username);
  if (!account) throw fail('user.not_found');
  return account;
}

async function findLinked(ctx: Context, person: Person): Promise<number | null> {
  const found = await findIdentity(ctx.db, person.provider, person.subject);
  if (!found) return null;
  await syncProfile(ctx, found.user_id, person);
  return found.user_id;
}

/** Updates name and address of an external account from the provider. */
async function syncProfile(
  ctx: Context,
  id: number,
  { name, email, verified }: Person,
): Promise<void> {
  const user = await requireUserOf(ctx.db, id);
  if (!user.external) return;
  const address = email.toLowerCase();
  const isNewAddress = address !== '' && verified && address !== user.email.toLowerCase();
  const isFree = isNewAddress && !(await findAccount(ctx.db, 'either', address));
  const change = { ...(name && name !== user.name && { name }), ...(isFree && { email: address }) };
  if (Object.keys(change).length > 0) await changeUser(ctx, id, change);
}

async function linkByEmail(
  ctx: Context,
  person: Person,
  rules: AccountRules,
): Promise<number | null> {
  const account = person.email && (await findAccount(ctx.db, 'email', person.email));
  if (!account) return null;
  const mayLink =
    rules.link_by_email &&
    person.verified &&
    (account.external || rules.link_local_users) &&
    (!account.admin || rules.link_administrators) &&
    (await isTrusted(ctx, account.id, person.provider));
  if (!mayLink) throw fail('identity.email_taken');
  await link(ctx, account, person);
  return account.id;
}

/** Prevents account takeover: all identities must have verified addresses and other providers. */
async function isTrusted({ db }: Context, userId: number, provider: string): Promise<boolean> {
  const identities = await listIdentities(db, userId);
  return identities.every((one) => one.verified && one.provider !== provider);
}

async function link(
  ctx: Context,
  { id, username }: Pick<Account, 'id' | 'username'>,
  { provider, providerName, subject, verified }: Person,
): Promise<void> {
  const values = {
    provider,
    subject,
    user_id: id,
    verified,
    created: ctx.clock.now().toISOString(),
  };
  await refusing(insertIdentity(ctx.db, values), { unique: () => fail('request.stale') });
  const object = { type: 'user', id, name: username } as const;
  const params = { provider: providerName };
  await record(ctx, { code: 'user.linked', projectId: null, object, params });
}

async function makeAccount(ctx: Context, person: Person, rules: AccountRules): Promise<number> {
  if (!rules.create_users) throw fail('identity.no_account');
  const address = isEmailAddress(person.email) ? person.email : null;
  if (address === null && !rules.create_users_without_email) throw fail('identity.email_missing');
  // The address may equal the login of another user.
  if (address && (await findAccount(ctx.db, 'username', address))) {
    throw fail('identity.email_taken');
  }
  const wanted = person.username || address || person.subject;
  const username = await freeUsername(ctx, wanted);
  const user = await createUser(ctx, {
    username,
    name: person.name || wanted,
    email: address ?? username,
    password: null,
    admin: false,
  });
  await link(ctx, user, person);
  return user.id;
}

/** The wanted login, with a suffix if it is in use. */
async function freeUsername({ db }: Context, wanted: string): Promise<string> {
  const base = wanted.toLowerCase().slice(0, 240);
  for (const ending of ['', '-2', '-3', '-4', `-${randomBytes(6).toString('hex')}`]) {
    const found = await findAccount(db, 'either', base + ending);
    if (!found) return base + ending;
  }
  throw fail('user.username_taken', { username: base });
}
