// Sign-in with a password of the directory.

import type { Context } from '../../context/context.ts';
import { fail } from '../../lib/errors.ts';
import type { Account } from '../users/users.ts';
import type { Directory } from '../../config/directory-settings.ts';
import { findOrMakeAccount } from './external-users.ts';
import type { DirectoryEntry } from './ldap.ts';

/** Returns null for an unknown login or a wrong password. */
export async function signInAtDirectory(
  ctx: Context,
  directory: Directory,
  { login, password }: { login: string; password: string },
): Promise<Account | null> {
  const entry = await queryDirectory(ctx, directory, login, password);
  if (!entry) return null;
  const { id, username, name, email, dn, groups, hasAllGroups, isMainEmail } = entry;
  const person = {
    provider: 'ldap',
    providerName: directory.name,
    subject: id,
    username: username || login,
    name,
    email,
    // Only administrators change addresses in a directory.
    verified: isMainEmail,
    claims: { username, name, email, dn, groups, group_names: groups.flatMap(firstName) },
    hasAllGroups,
  };
  return findOrMakeAccount(ctx, person, directory);
}

/** `ops` for `cn=ops,ou=groups`. */
const firstName = (dn: string): string[] => {
  const [, name] = /^[^=,]+=((?:[^,\\]|\\.)+)/.exec(dn) ?? [];
  return name === undefined ? [] : [name];
};

async function queryDirectory(
  ctx: Context,
  directory: Directory,
  login: string,
  password: string,
): Promise<DirectoryEntry | null> {
  // Loaded lazily, since most installations have no directory.
  const { checkAtDirectory, SearchError } = await import('./ldap.ts');
  try {
    return await checkAtDirectory(directory, login, password);
  } catch (error) {
    const isRefused = error instanceof SearchError;
    const words = isRefused ? 'the directory refuses a search' : 'the directory could not be asked';
    ctx.log.error({ err: error, url: directory.url }, words);
    throw fail(isRefused ? 'session.directory_search' : 'session.directory_unreachable');
  }
}
