// Sign-in at an OpenID Connect provider.
//
// The browser receives a secret in a cookie and a state in the address. The state works once, and only with
// the cookie. Nonce and PKCE verifier are derived from both, which binds the response to this browser and
// sign-in.

import { randomBytes } from 'node:crypto';
import { isEmailAddress } from '#shared/api/users.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import type { Context } from '../../context/context.ts';
import { digest } from '../../lib/digest.ts';
import { AppError, fail } from '../../lib/errors.ts';
import { record } from '../../events/events.ts';
import { logFailedSignIn } from '../session/failed-sign-in.ts';
import { startSession, type Origin } from '../session/session.ts';
import { firstText, textsAt, valueAt } from './claims.ts';
import { findOrMakeAccount } from './external-users.ts';
import type { OidcProvider } from '../../config/identity-file.ts';
import { insertState, removeExpiredStates, takeState } from './identity.store.ts';
import {
  authorizationUrl,
  exchangeCode,
  unreachable,
  type Attempt,
  type VerifiedIdentity,
  type ProviderAccess,
} from './oidc.ts';
import type { Person } from './person.ts';

/** How long a sign-in at the provider may take. */
export const STATE_LIFETIME_S = 600;

const random = (): string => randomBytes(32).toString('base64url');

/** An existing secret is kept, so that two tabs can sign in concurrently. */
export const browserSecret = (cookie: string | undefined): string =>
  cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? cookie : random();

export interface SignInRequest {
  providerId: string;
  /** The base URL of this server. */
  base: string;
  browser: string;
}

/** Returns the address at the provider, or the sign-in page with an error code. */
export async function beginSignIn(
  ctx: Context,
  request: SignInRequest,
  next: string,
): Promise<string> {
  const page = localPage(next);
  return withErrorRedirect(ctx, request, { page }, async (provider) => {
    const now = ctx.clock.now();
    const state = random();
    const url = await authorizationUrl(accessOf(ctx, provider), attemptOf(request, state));
    await removeExpiredStates(ctx.db, now.toISOString());
    await insertState(ctx.db, {
      state_hash: digest(state),
      browser_hash: digest(request.browser),
      provider: provider.id,
      page,
      expires: new Date(now.getTime() + STATE_LIFETIME_S * 1000).toISOString(),
    });
    return url;
  });
}

const attemptOf = ({ base, providerId, browser }: SignInRequest, state: string): Attempt => ({
  redirectUri: redirectUriOf(base, providerId),
  browser,
  state,
});

/** The redirect URI to register at the provider. */
export const redirectUriOf = (base: string, providerId: string): string =>
  `${base}/api/auth/oidc/${encodeURIComponent(providerId)}/redirect`;

export interface SignInCallback extends SignInRequest {
  /** The query of the redirect. */
  search: string;
  origin: Origin;
}

/** Completes a sign-in. `token` is that of the new session; null on failure. */
export async function completeSignIn(
  ctx: Context,
  callback: SignInCallback,
): Promise<{ url: string; token: string | null }> {
  // Set from the stored state.
  const target = { page: '' };
  let token: string | null = null;
  const url = await withErrorRedirect(ctx, callback, target, async (provider) => {
    const state = new URLSearchParams(callback.search).get('state') ?? '';
    const taken = await takeState(ctx.db, {
      stateHash: digest(state),
      browserHash: digest(callback.browser),
      provider: provider.id,
      now: ctx.clock.now().toISOString(),
    });
    if (!taken) throw fail('identity.state');
    target.page = taken.page;
    const proven = await exchangeCode(
      accessOf(ctx, provider),
      attemptOf(callback, state),
      callback.search,
    );
    const account = await findOrMakeAccount(ctx, personOf(provider, proven), provider);
    const elsewhere = {
      provider: provider.id,
      idToken: provider.end_session ? proven.idToken : null,
    };
    token = await startSession(ctx, account, callback.origin, elsewhere);
    return target.page || '/';
  });
  return { url, token };
}

const accessOf = ({ config }: Context, provider: OidcProvider): ProviderAccess => ({
  provider,
  proxies: config.proxies,
});

function personOf(provider: OidcProvider, { subject, claims }: VerifiedIdentity): Person {
  const { username, name, email } = provider.claims;
  const address = email
    .map((one) => firstText(claims, [one]))
    .find((one) => isEmailAddress(one?.text ?? ''));
  const groups = textsAt(claims, provider.groups_claim);
  return {
    provider: provider.id,
    providerName: provider.name,
    subject,
    username: firstText(claims, username)?.text ?? '',
    name: firstText(claims, name)?.text ?? '',
    email: address?.text ?? '',
    // `email_verified` is about this claim only.
    verified: address?.name === 'email' && claims['email_verified'] === true,
    claims: { ...claims, ...(groups && { groups }) },
    hasAllGroups: !isCut(claims, provider.groups_claim),
  };
}

/** Whether the groups are omitted because they exceed the size of a token (Entra ID). */
const isCut = (claims: Record<string, unknown>, groupsClaim: string): boolean =>
  claims['hasgroups'] === true || valueAt(claims, `_claim_names.${groupsClaim}`) !== undefined;

/** Redirects to the sign-in page on errors, which explains them in our words. */
async function withErrorRedirect(
  ctx: Context,
  { providerId }: SignInRequest,
  target: { page: string },
  work: (provider: OidcProvider) => Promise<string>,
): Promise<string> {
  const provider = ctx.config.identity.providers.find(({ id }) => id === providerId);
  if (!provider) return signInPage('identity.unknown_provider', target.page);
  try {
    return await work(provider);
  } catch (error) {
    const code = codeOf(error);
    ctx.log.warn({ err: error, provider: provider.id }, 'sign-in at an identity provider failed');
    logFailedSignIn(ctx, '', 'provider');
    const object = { type: 'session', id: null, name: provider.name } as const;
    const params = { reason: code };
    await record(ctx, { code: 'session.external_refused', projectId: null, object, params });
    return signInPage(code, target.page);
  }
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code;
  if (unreachable(error)) return 'identity.unreachable';
  const isDenial = error instanceof Error && 'error' in error && error.error === 'access_denied';
  return isDenial ? 'identity.denied' : 'identity.invalid_answer';
}

const signInPage = (error: ErrorCode, page: string): string =>
  `/auth/login?${new URLSearchParams({ error, ...(page && { next: page }) }).toString()}`;

// An arbitrary origin: the address must stay within it.
const ORIGIN = 'http://localhost';

/** Prevents open redirects: empty when the address would leave this server. */
export function localPage(text: string): string {
  if (!text.startsWith('/') || text.length > 2000) return '';
  const url = URL.parse(text, ORIGIN);
  if (url?.origin !== ORIGIN) return '';
  const { pathname, search, hash } = url;
  // `/.//other.example` is normalised to `//other.example`, which names another server.
  if (pathname.startsWith('//') || /^\/(?:api|auth)(?:\/|$)/.test(pathname)) return '';
  return pathname + search + hash;
}
