// Sessions: a random token in a cookie, its hash in the database.

import { randomBytes } from 'node:crypto';
import type { Session } from '#shared/api/session.ts';
import type { Context } from '../context.ts';
import { ifThereIsRoom } from '../../runner/system/full.ts';
import { fromFlag } from '../db/row.ts';
import { digest } from '../digest.ts';
import { AppError, fail } from '../errors.ts';
import { record } from '../events/events.ts';
import { endElsewhere } from '../identity/end-session.ts';
import { sealedColumns } from '../vault/sealed-columns.ts';
import { sealInto } from '../vault/sealed-texts.ts';
import { acceptCode, isRequired } from '../second-factor/accept-code.ts';
import { findCredentials, recordUser, type Credentials } from '../users/users.ts';
import { inTransaction } from '../transaction.ts';
import { beginAttempt, type Attempt, type Place } from './attempts.ts';
import { tryPassword } from '../identity/check-password.ts';
import { findDevice, rememberDevice } from './devices.ts';
import { logFailedSignIn, type SignInFailure } from './failed-sign-in.ts';
import {
  findSession,
  insertSession,
  listSessions,
  removeExpiredSessions,
  removeSession,
  removeSessionOf,
  removeSessionsOf,
  touchSession,
  type RemovedSession,
} from './session.store.ts';

export const sessionDays = 7;
const dayMs = 86_400_000;
const touchMs = 60_000;

export interface Origin {
  ip: string;
  userAgent: string;
}

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

/** A sign-in somewhere else, and what ends it there too. */
export interface Elsewhere {
  provider: string;
  idToken: string | null;
}

/** Makes a session of somebody who has shown who they are; answers its token, always a new one. */
export async function startSession(
  ctx: Context,
  user: Pick<Credentials, 'id' | 'username'>,
  origin: Origin,
  elsewhere: Elsewhere | null = null,
): Promise<string> {
  const now = ctx.clock.now();
  const token = randomBytes(32).toString('base64url');
  await removeExpiredSessions(ctx.db, now.toISOString());
  const by = { ...ctx.by, userId: user.id, username: user.username };
  await recordUser({ ...ctx, by }, 'session.started', user);
  const id = await insertSession(ctx.db, {
    user_id: user.id,
    token_hash: digest(token),
    created: now.toISOString(),
    last_active: now.toISOString(),
    expires: expiry(now),
    ip: origin.ip.slice(0, 64),
    user_agent: origin.userAgent.slice(0, 512),
    provider: elsewhere?.provider ?? null,
    id_token: null,
  });
  if (elsewhere?.idToken) await sealInto(ctx, sealedColumns.idToken, { id }, elsewhere.idToken);
  return token;
}

/** What was typed as the name is not kept where nobody has it: it may be a password. */
async function recordRefusal(ctx: Context, user: Credentials | null): Promise<void> {
  if (user) return recordUser(ctx, 'session.refused', user);
  const object = { type: 'session', id: null, name: '' } as const;
  return record(ctx, { code: 'session.unknown', projectId: null, object });
}

const expiry = (now: Date): string => new Date(now.getTime() + sessionDays * dayMs).toISOString();

export interface SessionActor {
  sessionId: number;
  signedIn: string;
  userId: number;
  username: string;
  admin: boolean;
  /** It began with a password, not at a provider, which has factors of its own. */
  byPassword: boolean;
  /** Until then it may do nothing else. */
  mustSetUpSecondFactor: boolean;
}

/** Who a token belongs to; null when it is unknown or has expired. */
export async function findActor(ctx: Context, token: string): Promise<SessionActor | null> {
  const now = ctx.clock.now();
  const session = await findSession(ctx.db, digest(token), now.toISOString());
  if (!session) return null;
  // Not at every request: a write a minute is enough to know who is there.
  if (now.getTime() - Date.parse(session.last_active) > touchMs) {
    const times = { last_active: now.toISOString(), expires: expiry(now) };
    await ifThereIsRoom(touchSession(ctx.db, session.id, times));
  }
  const admin = fromFlag(session.admin);
  const byPassword = session.provider === null;
  const hasFactor = session.second_factor_since !== null;
  return {
    sessionId: session.id,
    signedIn: session.created,
    userId: session.user_id,
    username: session.username,
    admin,
    byPassword,
    mustSetUpSecondFactor: byPassword && !hasFactor && isRequired(ctx.config, admin),
  };
}

/** Ends the session; answers where the browser ends it at the provider too, if it does. */
export async function signOut(ctx: Context, token: string, backTo: string): Promise<string | null> {
  const actor = await findActor(ctx, token);
  const elsewhere = await removeSession(ctx.db, digest(token));
  if (!actor) return null;
  const { userId, username } = actor;
  const inner = { ...ctx, by: { ...ctx.by, userId, username } };
  await recordUser(inner, 'session.ended', { id: userId, username });
  const idToken = elsewhere && openToken(ctx, elsewhere);
  return idToken && endElsewhere(ctx, elsewhere?.provider ?? '', { idToken, backTo });
}

/** Null as well when the master key is another one by now: then the session ends here only. */
function openToken({ vault }: Context, { id, id_token: sealed }: RemovedSession): string | null {
  try {
    return sealed && vault.open(sealed, sealedColumns.idToken.at({ id }));
  } catch {
    return null;
  }
}

/** The sessions of a user, the one of the asker marked. */
export async function seeSessions(ctx: Context, asker: Asker): Promise<Session[]> {
  const rows = await listSessions(ctx.db, asker.userId, ctx.clock.now().toISOString());
  return rows.map((row) => ({ ...row, current: row.id === asker.sessionId }));
}

export interface Asker {
  userId: number;
  username: string;
  /** Null: a token asks. */
  sessionId: number | null;
}

/** Ends one session of the asker. */
export async function revokeSession(ctx: Context, asker: Asker, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const isEnded = await removeSessionOf(inner.db, asker.userId, id);
    if (!isEnded) throw fail('session.not_found');
    await recordUser(inner, 'session.revoked', { id: asker.userId, username: asker.username });
  });
}

/** Ends all sessions of the asker but the one that asks. */
export async function revokeOthers(ctx: Context, asker: Asker): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    await removeSessionsOf(inner.db, asker.userId, asker.sessionId);
    const user = { id: asker.userId, username: asker.username };
    await recordUser(inner, 'session.others_revoked', user);
  });
}

/** Ends all sessions of a user but one, for example after a change of password. */
export async function endSessions(
  ctx: Context,
  userId: number,
  keptSessionId: number | null = null,
): Promise<void> {
  await removeSessionsOf(ctx.db, userId, keptSessionId);
  ctx.hub.publish('rights', { userId });
}
