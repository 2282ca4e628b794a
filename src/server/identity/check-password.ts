// Whether a password is right: the one that is kept here, or the one that a directory knows.

import type { Context } from '../context.ts';
import { signInAtDirectory } from './directory-sign-in.ts';
import { verifyPassword } from '../users/password.ts';
import type { Credentials } from '../users/users.ts';
import type { Attempt } from '../session/attempts.ts';

export interface Typed {
  /** In lower case. */
  login: string;
  password: string;
}

/** Who signs in with this password; null: nobody. `user`: who has this login here. */
export async function tryPassword(
  ctx: Context,
  attempt: Attempt,
  user: Credentials | null,
  typed: Typed,
): Promise<Credentials | null> {
  try {
    return await checkPassword(ctx, user, typed);
  } catch (error) {
    // That a directory is away is nobody's wrong guess.
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
  // Whoever has a password here is never asked for that of the directory, which may be away.
  if (ldap && !user?.password_hash) return signInAtDirectory(ctx, ldap, typed);
  const isRight = await verifyPassword(typed.password, user?.password_hash ?? null);
  // So that nobody is locked out when the provider is away.
  const isTaken = passwordLogin || user?.admin === 1;
  return isRight && isTaken ? user : null;
}
