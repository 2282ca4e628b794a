// Sessions: a random token in a cookie, its hash in the database.

import { randomBytes } from 'node:crypto';
import type { Session } from '#shared/api/session.ts';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context/context.ts';
import { ignoreDiskFull } from '../../../node/fs/disk-full.ts';
import { digest } from '../../lib/digest.ts';
import { fail } from '../../lib/errors.ts';
import { sealedColumns } from '../../vault/sealed-columns.ts';
import { sealInto } from '../../vault/sealed-texts.ts';
import { removeFirstPassword } from '../users/first-password.ts';
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

export const sessionDays = 7;
const dayMs = 86_400_000;
const touchMs = 60_000;

export interface Origin {
  ip: string;
  userAgent: string;
}

/** A sign-in at a provider, with the token that ends it there. */
export interface ProviderSession {
  provider: string;
  idToken: string | null;
}

/** Creates a session for an authenticated user; returns its token, which is always a new one. */
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

const expiry = (now: Date): string => new Date(now.getTime() + sessionDays * dayMs).toISOString();

export interface SessionActor {
  sessionId: number;
  signedIn: string;
  userId: number;
  username: string;
  admin: boolean;
  /** Null: as the setting of the server says. */
  mayCreateProjects: boolean | null;
  /**
   * Whether the session began with a password, and not at a provider, which has factors of its own.
   */
  byPassword: boolean;
  /** Whether the session may do nothing else until a second factor is set up. */
  mustSetUpSecondFactor: boolean;
}

/** Whether users of this kind have to have a second factor. */
export const needsSecondFactor = ({ secondFactor }: Config, isAdmin: boolean): boolean =>
  secondFactor === 'all' || (secondFactor === 'administrators' && isAdmin);

/** The actor of a session token; null when the token is unknown or has expired. */
export async function findActor(ctx: Context, token: string): Promise<SessionActor | null> {
  const now = ctx.clock.now();
  const session = await findSession(ctx.db, digest(token), now.toISOString());
  if (!session) return null;
  // Written at most once a minute, not with every request.
  if (now.getTime() - Date.parse(session.last_active) > touchMs) {
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

/** Ends the session of a token; answers where else its user has signed in. */
export async function endSession(ctx: Context, token: string): Promise<ProviderSession | null> {
  const actor = await findActor(ctx, token);
  const removed = await removeSession(ctx.db, digest(token));
  if (!actor || !removed) return null;
  const { userId, username } = actor;
  const inner = { ...ctx, by: { ...ctx.by, userId, username } };
  await recordUser(inner, 'session.ended', { id: userId, username });
  return { provider: removed.provider ?? '', idToken: openToken(ctx, removed) };
}

/** The provider's token; also null when the master key has changed, and then the session ends here only. */
function openToken({ vault }: Context, { id, id_token: sealed }: RemovedSession): string | null {
  try {
    return sealed && vault.open(sealed, sealedColumns.idToken.at({ id }));
  } catch {
    return null;
  }
}

/** The sessions of a user; the one of the request is marked. */
export async function getSessions(ctx: Context, asker: Asker): Promise<Session[]> {
  const rows = await listSessions(ctx.db, asker.userId, ctx.clock.now().toISOString());
  return rows.map((row) => ({ ...row, current: row.id === asker.sessionId }));
}

export interface Asker {
  userId: number;
  username: string;
  /** The session of the request; null when the request has an API token. */
  sessionId: number | null;
}

/** Ends one session of the user of the request. */
export async function revokeSession(ctx: Context, asker: Asker, id: number): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const isEnded = await removeSessionOf(inner.db, asker.userId, id);
    if (!isEnded) throw fail('session.not_found');
    await recordUser(inner, 'session.revoked', { id: asker.userId, username: asker.username });
  });
}

/** Ends all other sessions of the user of the request. */
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
  ctx.hub.publish('permission.changed', { userId });
}
