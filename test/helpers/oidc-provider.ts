// Runs a real OpenID Connect provider on this machine. It signs everybody in without asking, as the
// account that the test chooses. Tests can also make it send false tokens, signed with its own key.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  decodeJwt,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type GenerateKeyPairResult,
  type JWTPayload,
} from 'jose';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

interface Account {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  preferred_username?: string;
  groups?: string[];
}

export interface TestProvider {
  issuer: string;
  /** Where it listens. */
  address: string;
  /** The account that signs in from now on. */
  account: Account;
  /** Changes the claims of the next id_tokens before they are signed. */
  lie: ((claims: JWTPayload) => JWTPayload) | null;
  /** Signs with a key that the provider does not publish. */
  forge: boolean;
  /** Ends a sign-in with this error instead. */
  refuse: string | null;
  /** How many requests each path has received. */
  asked: Record<string, number>;
  /** Stops answering, as a machine does that is down. */
  stop: () => Promise<void>;
}

export const oidcClient = { id: 'signalbox', secret: 'the secret of the client' };

/** The key that providers publish, and another one. Making RSA keys takes longer than most tests. */
let rsaKeys: Promise<[GenerateKeyPairResult, GenerateKeyPairResult]> | undefined;

/** Starts the provider, which ends with the test. */
export async function startProvider(base: string, issuer?: string): Promise<TestProvider> {
  const provider = await launchProvider(base, { issuer });
  onTestFinished(provider.stop);
  return provider;
}

/** `base` is the address of Signalbox; `issuer` the provider's own, if that is not where it listens. */
export async function launchProvider(
  base: string,
  { id = 'company', issuer: name }: { id?: string; issuer?: string | undefined } = {},
): Promise<TestProvider> {
  rsaKeys ??= Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256'),
  ]);
  const [key, other] = await rsaKeys;
  const jwk = { ...(await exportJWK(key.privateKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = name ?? address;
  const stop = () => close(server);
  const state: TestProvider = {
    issuer,
    address,
    account: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    lie: null,
    forge: false,
    refuse: null,
    asked: {},
    stop,
  };
  const provider = makeProvider(state, jwk, {
    redirect: `${base}/api/auth/oidc/${id}/redirect`,
    after: `${base}/auth/login`,
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    state.asked[path] = (state.asked[path] ?? 0) + 1;
    if (path.startsWith('/interaction/')) {
      void interact(provider, state, request, response).catch(() => response.destroy());
      return;
    }
    if (path === '/token')
      rewriteTokens(state, response, { key: key.privateKey, other: other.privateKey });
    void callback(request, response);
  });
  return state;
}

function makeProvider(
  state: TestProvider,
  jwk: object,
  { redirect, after }: { redirect: string; after: string },
): Provider {
  const provider = new Provider(state.issuer, {
    clients: [
      {
        client_id: oidcClient.id,
        client_secret: oidcClient.secret,
        redirect_uris: [redirect],
        post_logout_redirect_uris: [after],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    claims: {
      openid: ['sub', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
    },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: confirmSignOut },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ ...state.account, sub }) as never,
    }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

function confirmSignOut(ctx: { body: unknown }, form: string): void {
  ctx.body = `<!doctype html><title>Leave</title>${form}<button form="op.logoutForm" name="logout" value="yes">Leave the company</button>`;
}

async function interact(
  provider: Provider,
  { account, refuse }: TestProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result = refuse
    ? { error: refuse, error_description: '<b>words of the provider</b>' }
    : { login: { accountId: account.sub } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** Changes the tokens in an answer of the provider and signs them again. */
function rewriteTokens(
  state: TestProvider,
  response: ServerResponse,
  keys: { key: CryptoKey; other: CryptoKey },
): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  const rewrite = async (text: string): Promise<string> => {
    const body = JSON.parse(text) as { id_token?: string };
    if (!body.id_token || (!state.lie && !state.forge)) return text;
    const claims = decodeJwt(body.id_token);
    const token = await new SignJWT(state.lie?.(claims) ?? claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(state.forge ? keys.other : keys.key);
    return JSON.stringify({ ...body, id_token: token });
  };
  response.end = ((text: unknown) => {
    void rewrite(String(text)).then((rewritten) => {
      response.setHeader('content-length', Buffer.byteLength(rewritten));
      end(rewritten);
    });
    return response;
  }) as typeof response.end;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
