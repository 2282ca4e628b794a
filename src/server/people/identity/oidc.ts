// The client of an OpenID Connect provider. Discovery happens at the first use, so that the server starts
// without the provider, and again after an hour.

import { createHash, createHmac } from 'node:crypto';
import type * as openid from 'openid-client';
import { OutboundError, sendOutbound } from '../../lib/outbound.ts';
import type { OidcProvider } from '../../config/identity-file.ts';
import type { Proxies } from '../../../node/net/proxies.ts';

const REQUEST_TIMEOUT_S = 10;
const MAX_RESPONSE_BYTES = 1024 * 1024;
const DISCOVERY_MS = 60 * 60_000;

/** Loaded lazily, since most installations have no provider. */
const loadClient = (): Promise<typeof openid> => import('openid-client');

interface CachedProvider {
  configuration: Promise<openid.Configuration>;
  since: number;
  state: 'unknown' | 'ready' | 'unreachable';
  reason: string;
}

// The discovered configurations.
const known = new WeakMap<OidcProvider, CachedProvider>();

/** The result of the last discovery. */
export function stateOf(provider: OidcProvider): Pick<CachedProvider, 'state' | 'reason'> {
  const { state, reason } = known.get(provider) ?? { state: 'unknown', reason: '' };
  return { state, reason };
}

export interface ProviderAccess {
  provider: OidcProvider;
  proxies: Proxies;
}

/** Cached for an hour; discovered again after a failure. */
export async function discover(access: ProviderAccess): Promise<openid.Configuration> {
  const { provider } = access;
  const before = known.get(provider);
  const isFresh = before && Date.now() - before.since < DISCOVERY_MS;
  if (isFresh && before.state !== 'unreachable') return before.configuration;
  const entry: CachedProvider = {
    configuration: discoverProvider(access),
    since: Date.now(),
    state: 'unknown',
    reason: '',
  };
  known.set(provider, entry);
  try {
    const configuration = await entry.configuration;
    entry.state = 'ready';
    return configuration;
  } catch (error) {
    entry.state = 'unreachable';
    entry.reason = reasonOf(error);
    throw error;
  }
}

async function discoverProvider(access: ProviderAccess): Promise<openid.Configuration> {
  const client = await loadClient();
  const { issuer, client_id: id, client_secret: secret } = access.provider;
  const execute = [client.enableNonRepudiationChecks];
  // The identity file allows http only on private networks.
  if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
  const metadata = secret === undefined ? {} : { client_secret: secret };
  return client.discovery(new URL(issuer), id, metadata, authentication(client, secret), {
    [client.customFetch]: fetchFor(access),
    timeout: REQUEST_TIMEOUT_S,
    execute,
  });
}

/** Prefers the request body, because providers disagree about the encoding of the header. */
function authentication(client: typeof openid, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return client.None();
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, metadata, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = ways.includes('client_secret_post') ? post : basic;
    way(server, metadata, body, headers);
  };
}

const fetchFor =
  ({ provider: { issuer, allow_private: inside }, proxies }: ProviderAccess): openid.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const host = new URL(issuer).hostname.replace(/^\[|\]$/g, '');
    const allowed = inside === true ? [host] : inside || [];
    const limit = AbortSignal.timeout(REQUEST_TIMEOUT_S * 1000);
    const answer = await sendOutbound(
      {
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...headers },
        ...(body != null && { body: textOf(body) }),
      },
      {
        allowed,
        proxies,
        maxBytes: MAX_RESPONSE_BYTES,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      },
    );
    const type = answer.headers['content-type'];
    return new Response(hasNoBody(answer.status) ? null : answer.body, {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  };

const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status);

function textOf(body: openid.FetchBody): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a request to a provider has a form as its body');
}

/** Nonce and PKCE verifier, derived from the secret of the browser. */
function proofs(browser: string, state: string): { nonce: string; verifier: string } {
  const made = (purpose: string): string =>
    createHmac('sha256', browser).update(`${purpose}:${state}`).digest('base64url');
  return { nonce: made('nonce'), verifier: made('verifier') };
}

export interface Attempt {
  redirectUri: string;
  browser: string;
  state: string;
}

export async function authorizationUrl(
  access: ProviderAccess,
  { redirectUri, browser, state }: Attempt,
): Promise<string> {
  const client = await loadClient();
  const configuration = await discover(access);
  const { nonce, verifier } = proofs(browser, state);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: access.provider.scopes.join(' '),
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).href;
}

export interface VerifiedIdentity {
  subject: string;
  claims: Record<string, unknown>;
  idToken: string;
}

/** Exchanges the code of the query `search` for tokens; returns the verified claims. */
export async function exchangeCode(
  access: ProviderAccess,
  { redirectUri, browser, state }: Attempt,
  search: string,
): Promise<VerifiedIdentity> {
  const client = await loadClient();
  const configuration = await discover(access);
  const { nonce, verifier } = proofs(browser, state);
  const url = new URL(redirectUri);
  url.search = search;
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const own = tokens.claims();
  if (!own || !tokens.id_token) throw new Error('the provider sent no id_token');
  const more = configuration.serverMetadata().userinfo_endpoint
    ? await client.fetchUserInfo(configuration, tokens.access_token, own.sub)
    : {};
  const claims = { ...own, ...more, email_verified: isVerified('email' in more ? more : own) };
  return { subject: own.sub, claims, idToken: tokens.id_token };
}

// The source of the address must state whether it is verified.
const isVerified = (claims: Record<string, unknown>): boolean => claims['email_verified'] === true;

/** The logout address of the provider; null when there is none or the provider is unreachable. */
export async function endSessionUrl(
  access: ProviderAccess,
  { idToken, backTo }: { idToken: string; backTo: string },
): Promise<string | null> {
  try {
    const client = await loadClient();
    const configuration = await discover(access);
    if (!configuration.serverMetadata().end_session_endpoint) return null;
    const url = client.buildEndSessionUrl(configuration, {
      id_token_hint: idToken,
      post_logout_redirect_uri: backTo,
    });
    return /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    // An unreachable provider must not prevent the sign-out.
    return null;
  }
}

/** The network error in the cause chain. */
export function unreachable(error: unknown): OutboundError | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof OutboundError) return one;
  }
  return null;
}

function reasonOf(error: unknown): string {
  const away = unreachable(error);
  return away ? away.reason : error instanceof Error ? error.message.slice(0, 200) : '';
}
