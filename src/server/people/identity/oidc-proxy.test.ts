// Release on PostgreSQL: it is about the way to an identity provider.
import { expect, test } from 'vitest';
import { startForwardProxy, type ForwardProxy } from '../../../../test/helpers/forward-proxy.ts';
import { companyApp, openBrowser, signInThrough } from '../../../../test/helpers/oidc-browser.ts';
import { readProxies } from '../../config/proxy-settings.ts';

const issuer = 'http://sso.example';

async function behindProxy(account: string, login = account) {
  const proxies: ForwardProxy[] = [];
  const { app, provider } = await companyApp(
    {},
    {
      issuer,
      async proxies({ address }) {
        const proxy = await startForwardProxy({
          account,
          hosts: { 'sso.example': new URL(address).host },
        });
        proxies.push(proxy);
        return readProxies({ http_proxy: proxy.url.replace(account, login) });
      },
    },
  );
  return { browser: openBrowser(app, provider), seen: () => proxies.flatMap(({ seen }) => seen) };
}

test('people sign in at a provider that only the proxy can reach', async () => {
  const { browser, seen } = await behindProxy('robot:secret');
  expect(await signInThrough(browser)).toBe('/');
  expect(seen()).toEqual([
    `GET ${issuer}/.well-known/openid-configuration`,
    `POST ${issuer}/token`,
    `GET ${issuer}/jwks`,
    `GET ${issuer}/me`,
  ]);
});

test('a proxy that refuses is a provider that cannot be reached', async () => {
  const { browser } = await behindProxy('robot:secret', 'robot:wrong');
  expect(await browser.visit('/api/auth/oidc/company/login')).toBe(
    '/auth/login?error=identity.unreachable',
  );
});
