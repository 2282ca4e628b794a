// Only on SQLite: it is about the conversation with the provider.
// Gate: signing in at a provider. Answers that were made for another client or browser are refused.

import type { JWTPayload } from 'jose';
import { describe, expect, test } from 'vitest';
import { events } from '#shared/api/events.ts';
import { localPage } from '../../src/server/people/identity/oidc-sign-in.ts';
import type { TestApp } from '../helpers/app.ts';
import { begin, companyApp, openBrowser, signInThrough } from '../helpers/oidc-browser.ts';

const refusedWith = (code: string): string => `/auth/login?error=${code}`;
const sessions = (app: TestApp) => app.ctx.db.selectFrom('sessions').selectAll().execute();

/** Nobody but the administrator of the test has signed in. */
async function expectNobodyIn(app: TestApp): Promise<void> {
  expect(await sessions(app)).toHaveLength(1);
  const users = await app.ctx.db.selectFrom('users').select('username').execute();
  expect(users).toEqual([{ username: 'root' }]);
}

describe('an id_token that is not right opens nothing', () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  test.each([
    ['of another nonce', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'another' }],
    ['for several clients, us not the one that asked', { aud: ['signalbox', 'b'], azp: 'b' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: seconds() - 600, iat: seconds() - 1200 }],
    ['without an end', { exp: undefined }],
    ['that is not valid yet', { nbf: seconds() + 600 }],
    ['of nobody', { sub: undefined }],
    ['of somebody else than the userinfo', { sub: 'eve' }],
  ])('%s', async (_what, wrong) => {
    const { app, provider } = await companyApp();
    provider.lie = (claims) => ({ ...claims, ...wrong }) as JWTPayload;
    expect(await signInThrough(openBrowser(app))).toBe(refusedWith('identity.invalid_answer'));
    await expectNobodyIn(app);
    const [event] = await app.admin.call(events.list, {});
    expect([event?.code, event?.params]).toEqual([
      'session.external_refused',
      { name: 'Company', reason: 'identity.invalid_answer' },
    ]);
  });

  test('signed with a key that the provider does not publish', async () => {
    const { app, provider } = await companyApp();
    provider.forge = true;
    expect(await signInThrough(openBrowser(app))).toBe(refusedWith('identity.invalid_answer'));
    await expectNobodyIn(app);
  });
});

describe('an answer counts once, in the browser that asked', () => {
  test('a callback that is sent again is refused', async () => {
    const { app, provider } = await companyApp();
    const browser = openBrowser(app);
    const back = await browser.follow(await browser.visit(begin));
    expect(await browser.visit(back)).toBe('/');
    const codes = provider.asked['/token'];
    expect(await browser.visit(back)).toBe(refusedWith('identity.state'));
    expect(provider.asked['/token']).toBe(codes);
    expect(await sessions(app)).toHaveLength(2);
  });

  test('a state that was used is refused with a fresh code too', async () => {
    const { app } = await companyApp();
    const browser = openBrowser(app);
    const first = new URL(await browser.follow(await browser.visit(begin)));
    await browser.visit(first.href);
    const second = new URL(await browser.follow(await browser.visit(begin)));
    second.searchParams.set('state', first.searchParams.get('state') ?? '');
    expect(await browser.visit(second.href)).toBe(refusedWith('identity.state'));
  });

  test('the callback of another browser is refused, and still open to its own', async () => {
    const { app } = await companyApp();
    const [victim, attacker] = [openBrowser(app), openBrowser(app)];
    const back = await attacker.follow(await attacker.visit(begin));
    await victim.visit(begin);
    expect(await victim.visit(back)).toBe(refusedWith('identity.state'));
    expect(await openBrowser(app).visit(back)).toBe(refusedWith('identity.state'));
    await expectNobodyIn(app);
    expect(await attacker.visit(back)).toBe('/');
  });

  test("the code of another sign-in is refused in a sign-in of one's own", async () => {
    const { app } = await companyApp();
    const [victim, attacker] = [openBrowser(app), openBrowser(app)];
    const stolen = new URL(await victim.follow(await victim.visit(begin)));
    const own = new URL(await attacker.follow(await attacker.visit(begin)));
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(await attacker.visit(own.href)).toBe(refusedWith('identity.invalid_answer'));
    await expectNobodyIn(app);
  });

  test('a sign-in that takes longer than ten minutes is refused', async () => {
    const { app } = await companyApp();
    const browser = openBrowser(app);
    const back = await browser.follow(await browser.visit(begin));
    app.clock.advance(601_000);
    expect(await browser.visit(back)).toBe(refusedWith('identity.state'));
  });

  test('an answer of another issuer is refused', async () => {
    const { app } = await companyApp();
    const browser = openBrowser(app);
    const back = new URL(await browser.follow(await browser.visit(begin)));
    back.searchParams.set('iss', 'https://evil.example');
    expect(await browser.visit(back.href)).toBe(refusedWith('identity.invalid_answer'));
    await expectNobodyIn(app);
  });

  test.each(['', '?state=x', '?code=x', '?code=x&state=x', '?error=access_denied&state=x'])(
    'a callback that nobody asked for is refused: "%s"',
    async (query) => {
      const { app } = await companyApp();
      const url = `/api/auth/oidc/company/redirect${query}`;
      expect(await openBrowser(app).visit(url)).toBe(refusedWith('identity.state'));
    },
  );
});

describe('the way back', () => {
  test.each([
    ['//evil.example', ''],
    ['/\\evil.example', ''],
    ['\\\\evil.example', ''],
    ['/.//evil.example', ''],
    ['/x/..//evil.example', ''],
    ['/%2e//evil.example', ''],
    ['/\t/evil.example', ''],
    ['https://evil.example', ''],
    ['javascript:alert(1)', ''],
    ['@evil.example', ''],
    ['/api/auth/logout', ''],
    ['/auth/login', ''],
    [`/${'x'.repeat(3000)}`, ''],
    ['/project/1/templates?t=5#log', '/project/1/templates?t=5#log'],
    ['/', '/'],
  ])('%s leads to "%s"', (text, page) => {
    expect(localPage(text)).toBe(page);
  });

  test('leads to the page that was asked for, and to no other server', async () => {
    const { app } = await companyApp();
    expect(await signInThrough(openBrowser(app), '/project/7/team?q=a')).toBe(
      '/project/7/team?q=a',
    );
    expect(await signInThrough(openBrowser(app), '//evil.example')).toBe('/');
  });
});

describe('what the provider says in words', () => {
  test('stays out of the address and of the events', async () => {
    const { app, provider } = await companyApp();
    provider.refuse = 'access_denied';
    const end = await signInThrough(openBrowser(app), '/project/7');
    expect(end).toBe('/auth/login?error=identity.denied&next=%2Fproject%2F7');
    const all = JSON.stringify(await app.ctx.db.selectFrom('events').selectAll().execute());
    expect(all).not.toContain('words of the provider');
  });
});

describe('where requests to a provider go', () => {
  test.each(['http://127.0.0.1:9', 'http://[::1]:9', 'http://169.254.169.254', 'http://10.0.0.1'])(
    'not to %s, unless it is the one that the file allows',
    async (issuer) => {
      const { app, provider } = await companyApp({ issuer, allow_private: ['inside.example'] });
      expect(await openBrowser(app).visit(begin)).toBe(refusedWith('identity.unreachable'));
      expect(provider.asked).toEqual({});
    },
  );

  test('nobody is locked out by a provider that is down', async () => {
    const { app, provider } = await companyApp();
    await provider.stop();
    expect(await openBrowser(app).visit(begin)).toBe(refusedWith('identity.unreachable'));
    await expect(app.signIn('root', 'a long test password')).resolves.toBeDefined();
  });
});
