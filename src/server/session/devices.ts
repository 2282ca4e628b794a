// A browser in which an account has signed in is known by a cookie, which says for whom and is
// sealed under the master key. It ends with the password. It opens nothing: it only keeps the
// guesses of others from slowing this browser down.

import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { digest } from '../digest.ts';
import type { SealedPlace } from '../vault/vault.ts';

interface Account {
  id: number;
  password_hash: string | null;
}

/** Binds the cookie to the account and its password: no other account or password opens it. */
function placeOf({ id, password_hash: hash }: Account): SealedPlace {
  const binding = `device of user ${id} ${digest(hash ?? '')}`;
  return { column: 'cookie of a device', row: id, binding, olderBinding: binding };
}

/** The name of a device that the account has signed in with; null: it is unknown. */
export function findDevice(
  { vault }: Context,
  account: Account | null,
  cookie: string | null,
): string | null {
  if (!account || !cookie || cookie.length > longest) return null;
  try {
    return vault.open(cookie, placeOf(account));
  } catch {
    return null;
  }
}

const longest = 512;

/** The cookie for a browser in which the account has just signed in. */
export const rememberDevice = ({ vault }: Context, account: Account, known: string | null) =>
  vault.seal(known ?? randomUUID(), placeOf(account));
