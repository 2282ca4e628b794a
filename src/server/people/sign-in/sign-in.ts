// Signing in with a password, and signing out; other files check the password and the second
// factor.

import type { Context } from '../../context/context.ts';
import { AppError, fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { tryPassword } from '../identity/check-password.ts';
import { endSessionUrl } from '../identity/oidc.ts';
import { acceptCode } from '../second-factor/accept-code.ts';
import { beginAttempt, type Attempt, type AttemptOrigin } from '../session/attempts.ts';
import { findDevice, rememberDevice } from '../session/devices.ts';
import { logFailedSignIn, type SignInFailure } from '../session/failed-sign-in.ts';
import { findPendingMfaSession, startPendingMfaSession } from '../session/pending-mfa-sessions.ts';
import { endSession, findActor, startSession, type Origin } from '../session/session.ts';
import { inTransaction } from '../../context/transaction.ts';
import { findCredentials, recordUser, type Credentials } from '../users/users.ts';

export type { Origin } from '../session/session.ts';

/** The token of a half session, for a client that sends the code of the second factor later. */
export interface HalfSignedIn {
  half: string;
}

/**
 * The cookies for a browser that has signed in: one for its session, and one by which it is
 * recognised later.
 */
export interface SignedIn {
  token: string;
  device: string;
}

/**
 * Checks login or e-mail address, password and second factor; makes a new session. A client that
 * sends no `code` gets a half session if a code is needed. `device` is the cookie from an earlier
 * sign-in of the browser.
 */
export async function signIn(
  ctx: Context,
  credentials: { auth: string; password: string; code?: string | undefined },
  { device: cookie, ...origin }: Origin & { device: string | null },
): Promise<SignedIn | HalfSignedIn> {
  const login = credentials.auth.toLowerCase();
  const user = await findCredentials(ctx.db, login);
  // An account has one count, whether people try its login or its e-mail address.
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
    if (credentials.code !== undefined) throw fail('session.code_required');
    await recordUser(ctx, 'session.half_started', known);
    return { half: startPendingMfaSession(ctx, known, device) };
  }
  return enter(ctx, known, { attempt, code: credentials.code ?? '', device, origin });
}

/**
 * Checks the code of a half session; makes a new session. Null: the token is that of a session
 * already.
 */
export async function verifySignIn(
  ctx: Context,
  { token, code }: { token: string | null; code: string },
  origin: Origin,
): Promise<SignedIn | null> {
  const half = await findPendingMfaSession(ctx, token);
  if (half) {
    const { user, device } = half;
    return enter(ctx, user, { attempt: null, code, device, origin });
  }
  if (token !== null && (await findActor(ctx, token))) return null;
  throw fail('session.required');
}

interface Entry {
  /** That of the password; null: it was right in an earlier request. */
  attempt: Attempt | null;
  code: string;
  device: string | null;
  origin: Origin;
}

/** Checks the second factor of somebody whose password was right; makes a new session. */
async function enter(
  ctx: Context,
  user: Credentials,
  { attempt, code: typed, device, origin }: Entry,
): Promise<SignedIn> {
  const place = device === null ? { address: origin.ip } : { device };
  const tell = (reason: SignInFailure): void => logFailedSignIn(ctx, user.username, reason);
  const code = await beginCode(ctx, user, place).catch(async (error: unknown) => {
    await attempt?.withdrawn(ctx);
    if (error instanceof AppError) tell('locked');
    throw error;
  });
  const by = { ...ctx.by, userId: user.id, username: user.username };
  const token = await inTransaction({ ...ctx, by }, async (inner) => {
    if (!(await passSecondFactor(inner, user, typed))) return null;
    await attempt?.succeeded(inner);
    await code?.succeeded(inner);
    return startSession(inner, user, origin);
  });
  if (token !== null) return { token, device: rememberDevice(ctx, user, device) };
  tell('code');
  await recordUser(ctx, 'session.code_refused', user);
  await attempt?.withdrawn(ctx);
  await code?.failed(ctx);
  throw fail('session.wrong_code');
}

/** Codes have a count of their own, because there are few codes. Null if no code is needed. */
async function beginCode(
  ctx: Context,
  user: Credentials,
  place: AttemptOrigin,
): Promise<Attempt | null> {
  return user.second_factor_since === null
    ? null
    : beginAttempt(ctx, { user, place, kind: 'code' });
}

/** True if the code was right, which uses it up, or if no code is needed. */
async function passSecondFactor(ctx: Context, user: Credentials, code: string): Promise<boolean> {
  if (user.second_factor_since === null) return true;
  const kind = await acceptCode(ctx, user, code);
  if (kind === 'recovery') await recordUser(ctx, 'session.recovery_code_used', user);
  return kind !== null;
}

/** A typed name that does not exist is not stored, because it may be a password. */
async function recordRefusal(ctx: Context, user: Credentials | null): Promise<void> {
  if (user) return recordUser(ctx, 'session.refused', user);
  const object = { type: 'session', id: null, name: '' } as const;
  return record(ctx, { code: 'session.unknown', projectId: null, object });
}

/**
 * Ends the session; returns the address at which the browser ends the session at the provider, if
 * there is one.
 */
export async function signOut(ctx: Context, token: string, backTo: string): Promise<string | null> {
  const elsewhere = await endSession(ctx, token);
  if (!elsewhere?.idToken) return null;
  const { config } = ctx;
  const provider = config.identity.providers.find(({ id }) => id === elsewhere.provider);
  if (!provider?.end_session) return null;
  const session = { idToken: elsewhere.idToken, backTo };
  return endSessionUrl({ provider, proxies: config.proxies }, session);
}
