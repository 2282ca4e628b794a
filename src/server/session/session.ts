// Sessions: a random token in a cookie, its hash in the database.

import { randomBytes } from 'node:crypto';
import type { Session } from '#shared/api/session.ts';
import type { Context } from '../context.ts';
import { fromFlag } from '../db/row.ts';
import { digest } from '../digest.ts';
import { fail } from '../errors.ts';
import { record } from '../events/events.ts';
import { endElsewhere } from '../identity/end-session.ts';
import { findCredentials, recordUser, type Credentials } from '../users/users.ts';
import { inTransaction } from '../transaction.ts';
import type { Attempts } from './attempts.ts';
import { checkPassword } from './check-password.ts';
import {
  findSession,
  insertSession,
  listSessions,
  removeExpiredSessions,
  removeSession,
  removeSessionOf,
  removeSessionsOf,
  touchSession,
} from './session.store.ts';

export const sessionDays = 7;
const dayMs = 86_400_000;
const touchMs = 60_000;

export interface Origin {
  ip: string;
  userAgent: string;
}

/** Signs in with login or e-mail and password; answers the token of a new session. */
export async function signIn(
  ctx: Context,
  attempts: Attempts,
  credentials: { auth: string; password: string },
  origin: Origin,
): Promise<string> {
  const login = credentials.auth.toLowerCase();
  const now = ctx.clock.now();
  const user = await findCredentials(ctx.db, login);
  // One account has one count, whether its login or its e-mail address is tried.
  const account = user ? String(user.id) : login;
  const seconds = attempts.wait(account, now);
  if (seconds > 0) {
    if (user) await recordUser(ctx, 'session.locked', user);
    throw fail('request.rate_limited', { seconds });
  }
  // Counted before the check, which takes time: guesses sent at once would all come through.
  attempts.started(account, now);
  const known = await checkPassword(ctx, user, { login, password: credentials.password });
  if (!known) {
    await recordRefusal(ctx, user);
    throw fail('session.bad_credentials');
  }
  attempts.succeeded(account);
  return startSession(ctx, known, origin);
}

/** A sign-in somewhere else, and what ends it there too. */
export interface Elsewhere {
  provider: string;
  idToken: string | null;
}

/** Makes a session of somebody who has shown who they are; answers its token. */
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
  await insertSession(ctx.db, {
    user_id: user.id,
    token_hash: digest(token),
    created: now.toISOString(),
    last_active: now.toISOString(),
    expires: expiry(now),
    ip: origin.ip.slice(0, 64),
    user_agent: origin.userAgent.slice(0, 512),
    provider: elsewhere?.provider ?? null,
    id_token: elsewhere?.idToken ? ctx.vault.seal(elsewhere.idToken, sealedFor) : null,
  });
  return token;
}

/** What was typed as the name is not kept where nobody has it: it may be a password. */
async function recordRefusal(ctx: Context, user: Credentials | null): Promise<void> {
  if (user) return recordUser(ctx, 'session.refused', user);
  const object = { type: 'session', id: null, name: '' } as const;
  return record(ctx, { code: 'session.unknown', projectId: null, object });
}

// What is sealed with a session.
const sealedFor = 'session:id_token';

const expiry = (now: Date): string => new Date(now.getTime() + sessionDays * dayMs).toISOString();

export interface SessionActor {
  sessionId: number;
  userId: number;
  username: string;
  admin: boolean;
}

/** Who a token belongs to; null when it is unknown or has expired. */
export async function findActor(ctx: Context, token: string): Promise<SessionActor | null> {
  const now = ctx.clock.now();
  const session = await findSession(ctx.db, digest(token), now.toISOString());
  if (!session) return null;
  // Not at every request: a write a minute is enough to know who is there.
  if (now.getTime() - Date.parse(session.last_active) > touchMs) {
    const times = { last_active: now.toISOString(), expires: expiry(now) };
    await touchSession(ctx.db, session.id, times);
  }
  return {
    sessionId: session.id,
    userId: session.user_id,
    username: session.username,
    admin: fromFlag(session.admin),
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
  const idToken = openToken(ctx, elsewhere?.id_token ?? null);
  return idToken && endElsewhere(ctx, elsewhere?.provider ?? '', { idToken, backTo });
}

/** Null as well when the master key is another one by now: then the session ends here only. */
function openToken({ vault }: Context, sealed: string | null): string | null {
  try {
    return sealed && vault.open(sealed, sealedFor);
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
}
