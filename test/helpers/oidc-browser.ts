// A browser between Signalbox and a provider: it follows redirects and keeps cookies.

import { testApp, type TestApp, type TestOptions } from './app.ts';
import { parseIdentity, type Identity } from '../../src/server/config/identity-file.ts';
import type { Proxies } from '../../src/node/net/proxies.ts';
import { oidcClient, startProvider, type TestProvider } from './oidc-provider.ts';

const publicUrl = 'http://signalbox.test';

/** The identity file of tests, with one provider and these changes. */
function identityWith(issuer: string, change: object = {}, top: object = {}): Identity {
  const provider = {
    id: 'company',
    name: 'Company',
    issuer,
    client_id: oidcClient.id,
    client_secret: oidcClient.secret,
    allow_private: true,
    ...change,
  };
  return parseIdentity(JSON.stringify({ oidc: [provider], ...top }), () => '');
}

interface CompanyOptions extends TestOptions {
  top?: object;
  /** The address of the provider, if that is not where it listens. */
  issuer?: string;
  /** The proxies through which the server reaches it. */
  proxies?: (provider: TestProvider) => Promise<Proxies>;
}

/** A server and its provider. */
export async function companyApp(
  change: object = {},
  options: CompanyOptions = {},
): Promise<{ app: TestApp; provider: TestProvider }> {
  const provider = await startProvider(publicUrl, options.issuer);
  const identity = identityWith(provider.issuer, change, options.top);
  const proxies = await options.proxies?.(provider);
  const config = { publicUrl, identity, ...(proxies && { proxies }), ...options.config };
  return { app: await testApp({ ...options, config }), provider };
}

type Jar = Map<string, string>;

function keep(jar: Jar, lines: string[]): void {
  for (const line of lines) {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '') jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), value);
  }
}
const sent = (jar: Jar): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

export interface Browser {
  /** Sends a request to Signalbox; returns the address of the redirect. */
  visit: (url: string) => Promise<string>;
  /** Follows the redirects of the provider until one leads back; answers that address. */
  follow: (url: string) => Promise<string>;
  /** The cookies of Signalbox. */
  cookies: Jar;
}

/** `provider` tells where a provider listens that has another address. */
export function openBrowser(app: TestApp, provider?: TestProvider): Browser {
  const cookies: Jar = new Map();
  const foreign: Jar = new Map();
  return {
    cookies,
    async visit(url) {
      const path = url.replace(publicUrl, '');
      const answer = await app.nobody.raw({
        method: 'GET',
        url: path,
        headers: { cookie: sent(cookies) },
      });
      keep(cookies, [answer.headers['set-cookie'] ?? []].flat());
      return String(answer.headers.location);
    },
    async follow(url) {
      let next = url;
      for (let hops = 0; hops < 10 && !next.startsWith(publicUrl); hops += 1) {
        const here = provider ? next.replace(provider.issuer, provider.address) : next;
        const answer = await fetch(here, {
          redirect: 'manual',
          headers: { cookie: sent(foreign) },
        });
        keep(foreign, answer.headers.getSetCookie());
        const location = answer.headers.get('location');
        if (location === null)
          throw new Error(`${next} answered ${answer.status}: ${await answer.text()}`);
        next = new URL(location, next).href;
      }
      return next;
    },
  };
}

export const begin = '/api/auth/oidc/company/login';

/** Signs in from first to last redirect; returns the address in Signalbox at which that ends. */
export async function signInThrough(browser: Browser, next = ''): Promise<string> {
  const query = next === '' ? '' : `?next=${encodeURIComponent(next)}`;
  const away = await browser.visit(begin + query);
  return browser.visit(await browser.follow(away));
}
