// Checks a password against the local hash, or in the directory.

import type { Context } from '../../context/context.ts';
import { signInAtDirectory } from './directory-sign-in.ts';
import { verifyPassword } from '../users/password.ts';
import type { Credentials } from '../users/users.ts';
import type { Attempt } from '../session/attempts.ts';

export interface Typed {
  /** The typed login in lower case. */
  login: string;
  password: string;
}

/** The account that this password belongs to; null when it is wrong. `user` is the local account with this login. */
export async function tryPassword(
  ctx: Context,
  attempt: Attempt,
  user: Credentials | null,
  typed: Typed,
): Promise<Credentials | null> {
  try {
    return await checkPassword(ctx, user, typed);
  } catch (error) {
    // An unreachable directory does not count as a wrong attempt.
    await attempt.withdrawn(ctx);
    throw error;
  }
}

async function checkPassword(
  ctx: Context,
  user: Credentials | null,
  typed: Typed,
): Promise<Credentials | null> {
  const { ldap, passwordLogin } = ctx.config.identity;
  // Accounts with a local password do not use the directory, which may be unreachable.
  if (ldap && !user?.password_hash) return signInAtDirectory(ctx, ldap, typed);
  const isRight = await verifyPassword(typed.password, user?.password_hash ?? null);
  // So that administrators can sign in when the provider cannot be reached.
  const isTaken = passwordLogin || user?.admin === true;
  return isRight && isTaken ? user : null;
}
