// The device cookie identifies a browser in which an account has signed in. It is sealed for the account
// and valid until the password changes. It does not authenticate: it only exempts the browser from the rate
// limit of other sources.

import { randomUUID } from 'node:crypto';
import type { Context } from '../../context/context.ts';
import { digest } from '../../lib/digest.ts';
import type { SealedPlace } from '../../vault/vault.ts';

interface Account {
  id: number;
  password_hash: string | null;
}

/** Binds the cookie to the account and its password hash. */
function placeOf({ id, password_hash: hash }: Account): SealedPlace {
  const binding = `device of user ${id} ${digest(hash ?? '')}`;
  return { column: 'cookie of a device', row: id, binding, olderBinding: binding };
}

/** Null when the cookie is not valid. */
export function findDevice(
  { vault }: Context,
  account: Account | null,
  cookie: string | null,
): string | null {
  if (!account || !cookie || cookie.length > MAX_COOKIE_LENGTH) return null;
  try {
    return vault.open(cookie, placeOf(account));
  } catch {
    return null;
  }
}

const MAX_COOKIE_LENGTH = 512;

export const rememberDevice = ({ vault }: Context, account: Account, known: string | null) =>
  vault.seal(known ?? randomUUID(), placeOf(account));
