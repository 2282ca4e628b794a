// Sessions: a random token in a cookie; the database stores its hash.

import { randomBytes } from 'node:crypto';
import type { Session } from '#shared/api/session.ts';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context/context.ts';
import type { Actor, Caller } from '../../context/actor.ts';
import { ignoreDiskFull } from '../../../node/fs/disk-full.ts';
import { digest } from '../../lib/digest.ts';
import { fail } from '../../lib/errors.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';
import { removeFirstPassword } from '../users/password.ts';
import { recordUser, type Credentials } from '../users/users.ts';
import { inTransaction } from '../../context/transaction.ts';
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

export const SESSION_DAYS = 7;
const DAY_MS = 86_400_000;
const TOUCH_INTERVAL_MS = 60_000;

export interface Origin {
  ip: string;
  userAgent: string;
}

/** `idToken` ends the session at the provider. */
export interface ProviderSession {
  provider: string;
  idToken: string | null;
}

/** Creates a session with a new token (prevents session fixation); returns the token. */
export async function startSession(
  ctx: Context,
  user: Pick<Credentials, 'id' | 'username'>,
  origin: Origin,
  elsewhere: ProviderSession | null = null,
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
  await removeFirstPassword(ctx, user.username);
  return token;
}

const expiry = (now: Date): string => new Date(now.getTime() + SESSION_DAYS * DAY_MS).toISOString();

export interface SessionActor extends Omit<Caller, 'token'> {
  sessionId: number;
  signedIn: string;
}

/** Whether the setting requires a second factor. */
export const needsSecondFactor = ({ secondFactor }: Config, isAdmin: boolean): boolean =>
  secondFactor === 'all' || (secondFactor === 'administrators' && isAdmin);

/** Null when the token is unknown or has expired. */
export async function findActor(ctx: Context, token: string): Promise<SessionActor | null> {
  const now = ctx.clock.now();
  const session = await findSession(ctx.db, digest(token), now.toISOString());
  if (!session) return null;
  // At most once a minute, not with every request.
  if (now.getTime() - Date.parse(session.last_active) > TOUCH_INTERVAL_MS) {
    const times = { last_active: now.toISOString(), expires: expiry(now) };
    await ignoreDiskFull(touchSession(ctx.db, session.id, times));
  }
  const { admin } = session;
  const byPassword = session.provider === null;
  const hasFactor = session.second_factor_since !== null;
  return {
    sessionId: session.id,
    signedIn: session.created,
    userId: session.user_id,
    username: session.username,
    admin,
    mayCreateProjects: session.can_create_project,
    byPassword,
    mustSetUpSecondFactor: byPassword && !hasFactor && needsSecondFactor(ctx.config, admin),
  };
}

/** Returns the session at the provider. */
export async function endSession(ctx: Context, token: string): Promise<ProviderSession | null> {
  const actor = await findActor(ctx, token);
  const removed = await removeSession(ctx.db, digest(token));
  if (!actor || !removed) return null;
  const { userId, username } = actor;
  const inner = { ...ctx, by: { ...ctx.by, userId, username } };
  await recordUser(inner, 'session.ended', { id: userId, username });
  return { provider: removed.provider ?? '', idToken: openToken(ctx, removed) };
}

/** Null also after a change of the master key; the session then ends here only. */
function openToken({ vault }: Context, { id, id_token: sealed }: RemovedSession): string | null {
  try {
    return sealed && vault.open(sealed, sealedColumns.idToken.at({ id }));
  } catch {
    return null;
  }
}

type SessionOwner = Pick<Actor, 'userId' | 'username' | 'sessionId'>;

/** Marks the session of the request. */
export async function getSessions(ctx: Context, actor: SessionOwner): Promise<Session[]> {
  const rows = await listSessions(ctx.db, actor.userId, ctx.clock.now().toISOString());
  return rows.map((row) => ({ ...row, current: row.id === actor.sessionId }));
}

export async function revokeSession(ctx: Context, actor: SessionOwner, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const isEnded = await removeSessionOf(inner.db, actor.userId, id);
    if (!isEnded) throw fail('session.not_found');
    await recordUser(inner, 'session.revoked', { id: actor.userId, username: actor.username });
  });
}

export async function revokeOthers(ctx: Context, actor: SessionOwner): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    await removeSessionsOf(inner.db, actor.userId, actor.sessionId);
    const user = { id: actor.userId, username: actor.username };
    await recordUser(inner, 'session.others_revoked', user);
  });
}

/** For example after a change of password. */
export async function endSessions(
  ctx: Context,
  userId: number,
  keptSessionId: number | null = null,
): Promise<void> {
  await removeSessionsOf(ctx.db, userId, keptSessionId);
  ctx.hub.publish('permission.changed', { userId });
}
