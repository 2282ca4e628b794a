// Sign-in with password and second factor, and sign-out.

import type { Context } from '../../context/context.ts';
import { AppError, fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { tryPassword } from '../identity/check-password.ts';
import { endSessionUrl } from '../identity/oidc.ts';
import { acceptCode } from '../second-factor/second-factor.ts';
import { beginAttempt, type Attempt, type AttemptOrigin } from '../session/attempts.ts';
import { findDevice, rememberDevice } from '../session/devices.ts';
import { logFailedSignIn, type SignInFailure } from '../session/failed-sign-in.ts';
import { findPendingMfaSession, startPendingMfaSession } from '../session/pending-mfa-sessions.ts';
import { endSession, findActor, startSession, type Origin } from '../session/session.ts';
import { inTransaction } from '../../context/transaction.ts';
import { findCredentials, recordUser, type Credentials } from '../users/users.ts';

export type { Origin } from '../session/session.ts';

/** The cookies of a session and of a known browser. */
export interface SignedIn {
  token: string;
  device: string;
}

/**
 * Checks login or e-mail address, password and second factor. A client that sends no `code` receives a
 * `pendingToken` if a code is required. `device` is the cookie of an earlier sign-in.
 */
export async function signIn(
  ctx: Context,
  credentials: { auth: string; password: string; code?: string | undefined },
  { device: cookie, ...origin }: Origin & { device: string | null },
): Promise<SignedIn | { pendingToken: string }> {
  const login = credentials.auth.toLowerCase();
  const user = await findCredentials(ctx.db, login);
  // Login and e-mail address share one counter.
  const device = findDevice(ctx, user, cookie);
  const place = device === null ? { address: origin.ip } : { device };
  const logFailure = (reason: SignInFailure): void =>
    logFailedSignIn(ctx, user?.username ?? '', reason);
  const logLocked = (error: unknown): never => {
    if (error instanceof AppError) logFailure('locked');
    throw error;
  };
  const attempt = await beginAttempt(ctx, { user, login, place }).catch(logLocked);
  const typed = { login, password: credentials.password };
  const known = await tryPassword(ctx, attempt, user, typed);
  if (!known) {
    logFailure('password');
    await recordRefusal(ctx, user);
    await attempt.failed(ctx);
    throw fail('session.bad_credentials');
  }
  if (known.second_factor_since !== null && !credentials.code) {
    await attempt.withdrawn(ctx);
    if (credentials.code !== undefined) throw fail('session.code_required');
    await recordUser(ctx, 'session.half_started', known);
    return { pendingToken: startPendingMfaSession(ctx, known, device) };
  }
  return finishSignIn(ctx, known, { attempt, code: credentials.code ?? '', device, origin });
}

/** Checks the code of a pending sign-in. Null: the token is that of a session already. */
export async function verifySignIn(
  ctx: Context,
  { token, code }: { token: string | null; code: string },
  origin: Origin,
): Promise<SignedIn | null> {
  const pending = await findPendingMfaSession(ctx, token);
  if (pending) {
    const { user, device } = pending;
    return finishSignIn(ctx, user, { attempt: null, code, device, origin });
  }
  if (token !== null && (await findActor(ctx, token))) return null;
  throw fail('session.required');
}

interface SecondStep {
  /** The attempt of the password; null if it was checked in an earlier request. */
  attempt: Attempt | null;
  code: string;
  device: string | null;
  origin: Origin;
}

/** Checks the second factor after the password, and creates the session. */
async function finishSignIn(
  ctx: Context,
  user: Credentials,
  { attempt, code: typed, device, origin }: SecondStep,
): Promise<SignedIn> {
  const place = device === null ? { address: origin.ip } : { device };
  const logFailure = (reason: SignInFailure): void => logFailedSignIn(ctx, user.username, reason);
  const code = await beginCode(ctx, user, place).catch(async (error: unknown) => {
    await attempt?.withdrawn(ctx);
    if (error instanceof AppError) logFailure('locked');
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
  logFailure('code');
  await recordUser(ctx, 'session.code_refused', user);
  await attempt?.withdrawn(ctx);
  await code?.failed(ctx);
  throw fail('session.wrong_code');
}

/** Codes have their own counter. Null if no code is required. */
async function beginCode(
  ctx: Context,
  user: Credentials,
  place: AttemptOrigin,
): Promise<Attempt | null> {
  return user.second_factor_since === null
    ? null
    : beginAttempt(ctx, { user, place, kind: 'code' });
}

/** Consumes the code. True also if no code is required. */
async function passSecondFactor(ctx: Context, user: Credentials, code: string): Promise<boolean> {
  if (user.second_factor_since === null) return true;
  const kind = await acceptCode(ctx, user, code);
  if (kind === 'recovery') await recordUser(ctx, 'session.recovery_code_used', user);
  return kind !== null;
}

/** An unknown name is not stored, because it may be a password. */
async function recordRefusal(ctx: Context, user: Credentials | null): Promise<void> {
  if (user) return recordUser(ctx, 'session.refused', user);
  const object = { type: 'session', id: null, name: '' } as const;
  return record(ctx, { code: 'session.unknown', projectId: null, object });
}

/** Returns the logout address of the provider, if there is one. */
export async function signOut(ctx: Context, token: string, backTo: string): Promise<string | null> {
  const elsewhere = await endSession(ctx, token);
  if (!elsewhere?.idToken) return null;
  const { identity, proxies } = ctx.config;
  const provider = identity.providers.find(({ id }) => id === elsewhere.provider);
  if (!provider?.end_session) return null;
  return endSessionUrl({ provider, proxies }, { idToken: elsewhere.idToken, backTo });
}
