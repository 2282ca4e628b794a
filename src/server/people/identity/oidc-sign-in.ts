// Sign-in at a provider of OpenID Connect.
//
// The browser gets a secret in a cookie and a state in the address. The state is accepted once, and
// only together with the cookie. Nonce and PKCE verifier are derived from both, so the answer to
// another browser or another sign-in is not valid here.

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
  readAnswer,
  unreachable,
  type Attempt,
  type Proven,
  type ProviderAccess,
} from './oidc.ts';
import type { Person } from './person.ts';

/** The time limit of a sign-in at the provider, in seconds. */
export const stateSeconds = 600;

const random = (): string => randomBytes(32).toString('base64url');

/** The secret of a browser. An existing one is kept, so that two tabs can sign in at the same time. */
export const browserSecret = (cookie: string | undefined): string =>
  cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? cookie : random();

export interface SignInRequest {
  providerId: string;
  /** The address of this server. */
  base: string;
  browser: string;
}

/** Begins a sign-in; returns the address at the provider, or the sign-in page with a reason when that fails. */
export async function beginSignIn(
  ctx: Context,
  asked: SignInRequest,
  next: string,
): Promise<string> {
  const page = localPage(next);
  return orSignInPage(ctx, asked, { page }, async (provider) => {
    const now = ctx.clock.now();
    const state = random();
    const url = await authorizationUrl(accessOf(ctx, provider), attemptOf(asked, state));
    await removeExpiredStates(ctx.db, now.toISOString());
    await insertState(ctx.db, {
      state_hash: digest(state),
      browser_hash: digest(asked.browser),
      provider: provider.id,
      page,
      expires: new Date(now.getTime() + stateSeconds * 1000).toISOString(),
    });
    return url;
  });
}

const attemptOf = ({ base, providerId, browser }: SignInRequest, state: string): Attempt => ({
  redirectUri: redirectUriOf(base, providerId),
  browser,
  state,
});

/** The redirect address that has to be registered at the provider. */
export const redirectUriOf = (base: string, providerId: string): string =>
  `${base}/api/auth/oidc/${encodeURIComponent(providerId)}/redirect`;

export interface SignInCallback extends SignInRequest {
  /** The query with which the provider sent the browser back. */
  search: string;
  origin: Origin;
}

/** Finishes a sign-in with the answer of the provider. `token` is the token of the new session, if there is one. */
export async function completeSignIn(
  ctx: Context,
  answered: SignInCallback,
): Promise<{ url: string; token: string | null }> {
  // The page to return to is stored with the state.
  const way = { page: '' };
  let token: string | null = null;
  const url = await orSignInPage(ctx, answered, way, async (provider) => {
    const state = new URLSearchParams(answered.search).get('state') ?? '';
    const taken = await takeState(ctx.db, {
      stateHash: digest(state),
      browserHash: digest(answered.browser),
      provider: provider.id,
      now: ctx.clock.now().toISOString(),
    });
    if (!taken) throw fail('identity.state');
    way.page = taken.page;
    const proven = await readAnswer(
      accessOf(ctx, provider),
      attemptOf(answered, state),
      answered.search,
    );
    const account = await findOrMakeAccount(ctx, personOf(provider, proven), provider);
    const elsewhere = {
      provider: provider.id,
      idToken: provider.end_session ? proven.idToken : null,
    };
    token = await startSession(ctx, account, answered.origin, elsewhere);
    return way.page || '/';
  });
  return { url, token };
}

const accessOf = ({ config }: Context, provider: OidcProvider): ProviderAccess => ({
  provider,
  proxies: config.proxies,
});

function personOf(provider: OidcProvider, { subject, claims }: Proven): Person {
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
    // The provider's statement about verification is about this claim only.
    verified: address?.name === 'email' && claims['email_verified'] === true,
    claims: { ...claims, ...(groups && { groups }) },
    hasAllGroups: !isCut(claims, provider.groups_claim),
  };
}

/** Whether the provider left the groups out because there are too many for a token, as Entra ID does. */
const isCut = (claims: Record<string, unknown>, groupsClaim: string): boolean =>
  claims['hasgroups'] === true || valueAt(claims, `_claim_names.${groupsClaim}`) !== undefined;

/**
 * Does a part of a sign-in; returns the address to which the browser goes. After an error that is the
 * sign-in page, which explains it in our words and not in those of the provider.
 */
async function orSignInPage(
  ctx: Context,
  { providerId }: SignInRequest,
  way: { page: string },
  work: (provider: OidcProvider) => Promise<string>,
): Promise<string> {
  const provider = ctx.config.identity.providers.find(({ id }) => id === providerId);
  if (!provider) return signInPage('identity.unknown_provider', way.page);
  try {
    return await work(provider);
  } catch (error) {
    const code = codeOf(error);
    ctx.log.warn({ err: error, provider: provider.id }, 'sign-in at an identity provider failed');
    logFailedSignIn(ctx, '', 'provider');
    const object = { type: 'session', id: null, name: provider.name } as const;
    const params = { reason: code };
    await record(ctx, { code: 'session.external_refused', projectId: null, object, params });
    return signInPage(code, way.page);
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

// The origin is arbitrary: the check is only that an address stays within it.
const here = 'http://localhost';

/** An address of this server; empty when the text would lead elsewhere. */
export function localPage(text: string): string {
  if (!text.startsWith('/') || text.length > 2000) return '';
  const url = URL.parse(text, here);
  if (url?.origin !== here) return '';
  const { pathname, search, hash } = url;
  // `/.//other.example` is normalised to `//other.example`, which names another server.
  if (pathname.startsWith('//') || /^\/(?:api|auth)(?:\/|$)/.test(pathname)) return '';
  return pathname + search + hash;
}
