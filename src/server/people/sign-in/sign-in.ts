// Signing in with a password, and out again: asks what knows passwords and second factors.

import type { Context } from '../../context/context.ts';
import { AppError, fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { tryPassword } from '../identity/check-password.ts';
import { endElsewhere } from '../identity/end-session.ts';
import { acceptCode } from '../second-factor/accept-code.ts';
import { beginAttempt, type Attempt, type Place } from '../session/attempts.ts';
import { findDevice, rememberDevice } from '../session/devices.ts';
import { logFailedSignIn, type SignInFailure } from '../session/failed-sign-in.ts';
import { endSession, startSession, type Origin } from '../session/session.ts';
import { inTransaction } from '../../context/transaction.ts';
import { findCredentials, recordUser, type Credentials } from '../users/users.ts';

/** What a browser gets that has signed in: for its session, and to be known again. */
export interface SignedIn {
  token: string;
  device: string;
}

/**
 * Checks login or e-mail, password and second factor; makes a new session. `device`: what the
 * browser was given when it signed in before.
 */
export async function signIn(
  ctx: Context,
  credentials: { auth: string; password: string; code?: string | undefined },
  { device: cookie, ...origin }: Origin & { device: string | null },
): Promise<SignedIn> {
  const login = credentials.auth.toLowerCase();
  const user = await findCredentials(ctx.db, login);
  // One account has one count, whether its login or its e-mail address is tried.
  const device = findDevice(ctx, user, cookie);
  const place = device === null ? { address: origin.ip } : { device };
  const tell = (reason: SignInFailure): void => logFailedSignIn(ctx, user?.username ?? '', reason);
  const tellSlowed = (error: unknown): never => {
    if (error instanceof AppError) tell('locked');
    throw error;
  };
  const attempt = await beginAttempt(ctx, { user, login, place }).catch(tellSlowed);
  const typed = { login, password: credentials.password };
  const known = await tryPassword(ctx, attempt, user, typed);
  if (!known) {
    tell('password');
    await recordRefusal(ctx, user);
    await attempt.failed(ctx);
    throw fail('session.bad_credentials');
  }
  if (known.second_factor_since !== null && !credentials.code) {
    await attempt.withdrawn(ctx);
    throw fail('session.code_required');
  }
  const code = await beginCode(ctx, known, place).catch(async (error: unknown) => {
    await attempt.withdrawn(ctx);
    return tellSlowed(error);
  });
  const by = { ...ctx.by, userId: known.id, username: known.username };
  const token = await inTransaction({ ...ctx, by }, async (inner) => {
    if (!(await passSecondFactor(inner, known, credentials.code ?? ''))) return null;
    await attempt.succeeded(inner);
    await code?.succeeded(inner);
    return startSession(inner, known, origin);
  });
  if (token !== null) return { token, device: rememberDevice(ctx, known, device) };
  tell('code');
  await recordUser(ctx, 'session.code_refused', known);
  await attempt.withdrawn(ctx);
  await code?.failed(ctx);
  throw fail('session.wrong_code');
}

/** Codes are counted for themselves: of these there are few. Null: none is asked for. */
async function beginCode(ctx: Context, user: Credentials, place: Place): Promise<Attempt | null> {
  return user.second_factor_since === null
    ? null
    : beginAttempt(ctx, { user, place, kind: 'code' });
}

/** True: the code was right and is used up, or none is asked for. */
async function passSecondFactor(ctx: Context, user: Credentials, code: string): Promise<boolean> {
  if (user.second_factor_since === null) return true;
  const kind = await acceptCode(ctx, user, code);
  if (kind === 'recovery') await recordUser(ctx, 'session.recovery_code_used', user);
  return kind !== null;
}

/** What was typed as the name is not kept where nobody has it: it may be a password. */
async function recordRefusal(ctx: Context, user: Credentials | null): Promise<void> {
  if (user) return recordUser(ctx, 'session.refused', user);
  const object = { type: 'session', id: null, name: '' } as const;
  return record(ctx, { code: 'session.unknown', projectId: null, object });
}

/** Ends the session; answers where the browser ends it at the provider too, if it does. */
export async function signOut(ctx: Context, token: string, backTo: string): Promise<string | null> {
  const elsewhere = await endSession(ctx, token);
  if (!elsewhere?.idToken) return null;
  return endElsewhere(ctx, elsewhere.provider, { idToken: elsewhere.idToken, backTo });
}
