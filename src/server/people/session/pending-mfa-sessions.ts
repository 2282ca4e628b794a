// A half session: the password was right, and the code of the second factor comes in a request of its
// own. It lies sealed in the cookie and not among the sessions, so nothing can take it for one: all
// that it opens is the check of the code.

import { digest } from '../../lib/digest.ts';
import type { Context } from '../../context/context.ts';
import type { SealedPlace } from '../../vault/vault.ts';
import { findCredentials, type Credentials } from '../users/users.ts';

/** How long the code may take. */
export const PENDING_MFA_SESSION_SECONDS = 300;

// Tells it from the tokens of sessions, which have no dot.
const prefix = 'half.';
const MAX_TOKEN_LENGTH = 1024;

const place: SealedPlace = {
  column: 'cookie of a half session',
  row: '',
  binding: 'half session',
  olderBinding: 'half session',
};

interface Content {
  id: number;
  username: string;
  /** Of the password and the second factor: a change of either ends it. */
  proof: string;
  until: string;
  /** The browser, if the account has signed in there before. */
  device: string | null;
}

const proofOf = ({ password_hash: hash, second_factor_since: since }: Credentials): string =>
  digest(`${hash ?? ''} ${since ?? ''}`);

/** Returns the token of a half session; it begins when the password was right. */
export function startPendingMfaSession(
  { vault, clock }: Context,
  user: Credentials,
  device: string | null,
): string {
  const content: Content = {
    id: user.id,
    username: user.username,
    proof: proofOf(user),
    until: new Date(clock.now().getTime() + PENDING_MFA_SESSION_SECONDS * 1000).toISOString(),
    device,
  };
  return prefix + Buffer.from(vault.seal(JSON.stringify(content), place)).toString('base64url');
}

/** Whose half session this is; null: it is none, or over. */
export async function findPendingMfaSession(
  ctx: Context,
  token: string | null,
): Promise<{ user: Credentials; device: string | null } | null> {
  const content = token === null ? null : read(ctx, token);
  if (!content || content.until <= ctx.clock.now().toISOString()) return null;
  const user = await findCredentials(ctx.db, content.username);
  const isSame = user?.id === content.id && proofOf(user) === content.proof;
  return isSame ? { user, device: content.device } : null;
}

function read({ vault }: Context, token: string): Content | null {
  if (!token.startsWith(prefix) || token.length > MAX_TOKEN_LENGTH) return null;
  try {
    const sealed = Buffer.from(token.slice(prefix.length), 'base64url').toString();
    return JSON.parse(vault.open(sealed, place)) as Content;
  } catch {
    return null;
  }
}
