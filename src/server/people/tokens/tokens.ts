// API tokens. The database stores only their hashes.

import { randomBytes } from 'node:crypto';
import type { NewToken, Token } from '#shared/api/tokens.ts';
import type { TokenScope } from '#shared/permissions.ts';
import type { Context } from '../../context/context.ts';
import type { Caller } from '../../context/actor.ts';
import { ignoreDiskFull } from '../../../node/fs/disk-full.ts';
import type { Row } from '../../db/tables.ts';
import { digest } from '../../lib/digest.ts';
import { fail, failFields, fieldError } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { seesProject } from '../members/members.ts';
import { inTransaction } from '../../context/transaction.ts';
import {
  countTokens,
  deleteToken,
  deleteTokens,
  findToken,
  insertToken,
  listTokens,
  touchToken,
} from './tokens.store.ts';

const tokenPrefix = 'sbx_';
const TOUCH_INTERVAL_MS = 60_000;
/** Per user, to limit the size of the database. */
const MAX_TOKENS = 200;

function toToken(ctx: Context, row: Row<'tokens'>): Token {
  const { token_hash: _hidden, scope, ...rest } = row;
  const isExpired = row.expires !== null && row.expires <= ctx.clock.now().toISOString();
  const named = { ...rest, expires_at: row.expires, id: String(row.id) };
  return { ...named, scope: scope as TokenScope, expired: isExpired };
}

export async function getTokens(ctx: Context, userId: number): Promise<Token[]> {
  return (await listTokens(ctx.db, userId)).map((row) => toToken(ctx, row));
}

/** The text of the token is returned only here. */
export async function createToken(
  ctx: Context,
  user: { userId: number; admin: boolean },
  input: NewToken,
): Promise<Token & { token: string }> {
  const now = ctx.clock.now().toISOString();
  const isPast = input.expires !== null && input.expires <= now;
  const isSeen = input.project_id === null || (await seesProject(ctx.db, user, input.project_id));
  const wrong = [
    ...(isPast ? [fieldError('expires', 'token.expires_past')] : []),
    ...(isSeen ? [] : [fieldError('project_id', 'token.no_project')]),
  ];
  if (wrong.length > 0) throw failFields(...wrong);
  const text = tokenPrefix + randomBytes(32).toString('base64url');
  return inTransaction(ctx, async (inner) => {
    if ((await countTokens(inner.db, user.userId)) >= MAX_TOKENS) {
      throw fail('token.too_many', { most: MAX_TOKENS });
    }
    const row = await insertToken(inner.db, {
      ...input,
      user_id: user.userId,
      token_hash: digest(text),
      hint: `…${text.slice(-4)}`,
      created: now,
    });
    await recordToken(inner, 'token.created', row);
    return { ...toToken(ctx, row), id: text, token: text };
  });
}

/** `which` is the id of the token, or its text. */
export async function removeToken(
  ctx: Context,
  userId: number,
  which: number | string,
): Promise<void> {
  const key = typeof which === 'number' ? { id: which } : { token_hash: digest(which) };
  await inTransaction(ctx, async (inner) => {
    const row = await deleteToken(inner.db, userId, key);
    if (!row) throw fail('token.not_found');
    await recordToken(inner, 'token.deleted', row);
  });
}

export async function revokeTokens(ctx: Context, userId: number): Promise<void> {
  if ((await deleteTokens(ctx.db, userId)) === 0) return;
  const object = { type: 'token', id: null, name: '' } as const;
  await record(ctx, { code: 'token.all_deleted', projectId: null, object });
}

function recordToken(
  ctx: Context,
  code: 'token.created' | 'token.deleted',
  { id, name, hint, scope }: Row<'tokens'>,
): Promise<void> {
  const object = { type: 'token', id, name: name || hint } as const;
  return record(ctx, { code, projectId: null, object, params: { scope } });
}

export interface TokenActor extends Pick<
  Caller,
  'userId' | 'username' | 'admin' | 'mayCreateProjects'
> {
  token: NonNullable<Caller['token']>;
}

/** Null if the token is unknown, revoked or expired. */
export async function findTokenActor(ctx: Context, text: string): Promise<TokenActor | null> {
  const now = ctx.clock.now();
  const found = await findToken(ctx.db, digest(text), now.toISOString());
  if (!found) return null;
  const { id, scope, project_id: projectId, last_used: lastUsed } = found;
  // At most once a minute, not with every request.
  if (lastUsed === null || now.getTime() - Date.parse(lastUsed) > TOUCH_INTERVAL_MS) {
    await ignoreDiskFull(touchToken(ctx.db, id, now.toISOString()));
  }
  return {
    userId: found.user_id,
    username: found.username,
    admin: found.admin,
    mayCreateProjects: found.can_create_project,
    token: { id, scope: scope as TokenScope, projectId },
  };
}
