// The state between the password and the second factor of a sign-in, sealed into the cookie. It is not
// stored as a session, so it grants nothing but the check of the code.

import { digest } from '../../lib/digest.ts';
import type { Context } from '../../context/context.ts';
import type { SealedPlace } from '../../vault/vault.ts';
import { findCredentials, type Credentials } from '../users/users.ts';

/** The time limit for the code. */
export const PENDING_MFA_SESSION_SECONDS = 300;

// Distinguishes it from session tokens, which have no dot.
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
  /** A hash of the password and the second factor: a change of either invalidates it. */
  proof: string;
  until: string;
  /** The device id, if the account has signed in there before. */
  device: string | null;
}

const proofOf = ({ password_hash: hash, second_factor_since: since }: Credentials): string =>
  digest(`${hash ?? ''} ${since ?? ''}`);

/** Called after the password was correct; returns the token. */
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

/** Null for another or an expired token. */
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
