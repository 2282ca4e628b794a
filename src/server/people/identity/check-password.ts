// Checks a password against the local hash or the directory.

import type { Context } from '../../context/context.ts';
import { signInAtDirectory } from './directory-sign-in.ts';
import { verifyPassword } from '../users/password.ts';
import { type Credentials, findCredentials } from '../users/users.ts';
import { type Attempt, beginAttempt } from '../session/attempts.ts';
import type { FieldCode } from '#shared/catalogue/field-errors.ts';
import { failFields, fieldError } from '../../lib/errors.ts';

interface Typed {
  /** In lower case. */
  login: string;
  password: string;
}

/** Returns null for a wrong password. `user` is the local account with this login. */
export async function tryPassword(
  ctx: Context,
  attempt: Attempt,
  user: Credentials | null,
  typed: Typed,
): Promise<Credentials | null> {
  try {
    return await checkPassword(ctx, user, typed);
  } catch (error) {
    // An unreachable directory is not a failed attempt.
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
  // Accounts with a local password do not depend on the directory.
  if (ldap && !user?.password_hash) return signInAtDirectory(ctx, ldap, typed);
  const isRight = await verifyPassword(typed.password, user?.password_hash ?? null);
  // Administrators can sign in while the provider is unreachable.
  const isAllowed = passwordLogin || user?.admin === true;
  return isRight && isAllowed ? user : null;
}

// Confirms the password before a change of credentials.

/** Rate-limited like sign-in, so that a stolen session cannot guess the password. */
export async function requirePassword(
  ctx: Context,
  user: { id: number; username: string },
  password: string,
  wrong: { path: string; code: FieldCode } = { path: 'password', code: 'user.password_wrong' },
): Promise<void> {
  const attempt = await beginAttempt(ctx, { user, place: 'session' });
  const credentials = await findCredentials(ctx.db, user.username);
  const typed = { login: user.username, password };
  const known = await tryPassword(ctx, attempt, credentials, typed);
  if (known?.id !== user.id) {
    await attempt.failed(ctx);
    throw failFields(fieldError(wrong.path, wrong.code));
  }
  await attempt.succeeded(ctx);
}
