// A provider of OpenID Connect, accessed through openid-client. Its configuration is discovered at the
// first use, so that the server can start without the provider, and again after an hour.

import { createHash, createHmac } from 'node:crypto';
import type * as openid from 'openid-client';
import { OutboundError, sendOutbound } from '../../lib/outbound.ts';
import type { OidcProvider } from '../../config/identity-file.ts';
import type { Proxies } from '../../../node/net/proxies.ts';

// The limit for each request to a provider in seconds, and for its answers in bytes.
const requestSeconds = 10;
const longest = 1024 * 1024;
const freshMs = 60 * 60_000;

/** Loaded when a provider is first asked, since most installations have none. */
const loadClient = (): Promise<typeof openid> => import('openid-client');

interface CachedProvider {
  configuration: Promise<openid.Configuration>;
  since: number;
  state: 'unknown' | 'ready' | 'unreachable';
  reason: string;
}

// The discovered configuration of each provider, kept as long as its settings.
const known = new WeakMap<OidcProvider, CachedProvider>();

/** Whether the last discovery of the provider has succeeded, and if not, why. */
export function stateOf(provider: OidcProvider): Pick<CachedProvider, 'state' | 'reason'> {
  const { state, reason } = known.get(provider) ?? { state: 'unknown', reason: '' };
  return { state, reason };
}

/** A provider, and the proxies of the service through which it is reached. */
export interface ProviderAccess {
  provider: OidcProvider;
  proxies: Proxies;
}

/** The configuration of the provider. It is discovered again after an hour, and after a failure. */
export async function discover(access: ProviderAccess): Promise<openid.Configuration> {
  const { provider } = access;
  const before = known.get(provider);
  const isFresh = before && Date.now() - before.since < freshMs;
  if (isFresh && before.state !== 'unreachable') return before.configuration;
  const entry: CachedProvider = {
    configuration: ask(access),
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

async function ask(access: ProviderAccess): Promise<openid.Configuration> {
  const client = await loadClient();
  const { issuer, client_id: id, client_secret: secret } = access.provider;
  const execute = [client.enableNonRepudiationChecks];
  // The identity file allows http only for providers on a private network.
  if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
  const metadata = secret === undefined ? {} : { client_secret: secret };
  return client.discovery(new URL(issuer), id, metadata, authentication(client, secret), {
    [client.customFetch]: fetchFor(access),
    timeout: requestSeconds,
    execute,
  });
}

/** Sends the client secret as the provider accepts it; in the body if possible, since headers are encoded differently by providers. */
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
    const limit = AbortSignal.timeout(requestSeconds * 1000);
    const answer = await sendOutbound(
      {
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...headers },
        ...(body != null && { body: textOf(body) }),
      },
      { allowed, proxies, longest, signal: signal ? AbortSignal.any([signal, limit]) : limit },
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

/** Nonce and PKCE verifier, which bind an answer to the browser. They are derived from its secret, so nothing is stored. */
function proofs(browser: string, state: string): { nonce: string; verifier: string } {
  const made = (purpose: string): string =>
    createHmac('sha256', browser).update(`${purpose}:${state}`).digest('base64url');
  return { nonce: made('nonce'), verifier: made('verifier') };
}

export interface Attempt {
  redirectUri: string;
  /** The secret in the cookie of the browser. */
  browser: string;
  state: string;
}

/** The address at the provider to which the browser is redirected. */
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

export interface Proven {
  subject: string;
  claims: Record<string, unknown>;
  idToken: string;
}

/** Exchanges the code in the query `search` for tokens, and returns the checked claims. */
export async function readAnswer(
  access: ProviderAccess,
  { redirectUri, browser, state }: Attempt,
  search: string,
): Promise<Proven> {
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

// The source of the e-mail address has to say whether it is verified.
const isVerified = (claims: Record<string, unknown>): boolean => claims['email_verified'] === true;

/** The address at which the browser ends its session at the provider; null when there is none, or the provider cannot be reached. */
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
    // A provider that cannot be reached must not prevent the sign-out here.
    return null;
  }
}

/** The network error behind an error; null when the provider answered and its answer is wrong. */
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
