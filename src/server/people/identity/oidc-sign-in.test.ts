// Release on PostgreSQL: it is about the conversation with an identity provider.
import { describe, expect, test } from 'vitest';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { password, type Caller, type TestApp } from '../../../../test/helpers/app.ts';
import {
  begin,
  companyApp,
  openBrowser,
  signInThrough,
  type Browser,
} from '../../../../test/helpers/oidc-browser.ts';
import { createUser } from '../users/users.ts';

const emailTaken = '/auth/login?error=identity.email_taken';

/** The user who is signed in in this browser. */
async function whoIsIn(app: TestApp, { cookies }: Browser): Promise<Record<string, unknown>> {
  const cookie = `signalbox=${cookies.get('signalbox')}`;
  const answer = await app.nobody.raw({ method: 'GET', url: '/api/user', headers: { cookie } });
  return answer.json();
}

const identities = (app: TestApp) => app.ctx.db.selectFrom('user_identities').selectAll().execute();

describe('signing in at a provider', () => {
  test('makes an account the first time, and finds it the second time', async () => {
    const { app, provider } = await companyApp({});
    provider.account = { ...provider.account, preferred_username: 'Ada.L', name: 'Ada L' };
    const browser = openBrowser(app);
    expect(await signInThrough(browser)).toBe('/');
    expect([...browser.cookies.keys()].sort()).toEqual([
      'signalbox',
      'signalbox_oidc',
      'signalbox_signed_in',
    ]);
    const ada = await whoIsIn(app, browser);
    expect(ada).toMatchObject({
      username: 'ada.l',
      name: 'Ada L',
      email: 'ada@example.com',
      admin: false,
      external: true,
    });
    provider.account = { ...provider.account, name: 'Ada King', email: 'king@example.com' };
    const again = openBrowser(app);
    await signInThrough(again);
    const now = { ...ada, name: 'Ada King', email: 'king@example.com' };
    expect(await whoIsIn(app, again)).toEqual(now);
    expect(await identities(app)).toHaveLength(1);
    expect(await app.ctx.db.selectFrom('oidc_states').selectAll().execute()).toEqual([]);
  });

  test('links an external account of the same verified address, and no other', async () => {
    const { app, provider } = await companyApp({});
    const made = { username: 'ada', name: 'Ada', email: 'ada@example.com', admin: false };
    const { id } = await createUser(app.ctx, { ...made, password: null });
    provider.account = { sub: '1', email: 'Ada@Example.com', email_verified: false };
    expect(await signInThrough(openBrowser(app))).toBe(emailTaken);
    provider.account = { sub: '1', email: 'Ada@Example.com' };
    expect(await signInThrough(openBrowser(app))).toBe(emailTaken);
    provider.account = { sub: '1', email: 'Ada@Example.com', email_verified: true };
    const browser = openBrowser(app);
    expect(await signInThrough(browser)).toBe('/');
    expect(await whoIsIn(app, browser)).toMatchObject({ id, username: 'ada' });
    // Somebody else has got the address.
    provider.account = { sub: '2', email: 'ada@example.com', email_verified: true };
    expect(await signInThrough(openBrowser(app))).toBe(emailTaken);
  });
});

describe('linking', () => {
  const root = { sub: 'r', email: 'root@example.com', email_verified: true };

  test('takes neither local users nor administrators by itself', async () => {
    const { app, provider } = await companyApp();
    await app.user('local');
    provider.account = root;
    expect(await signInThrough(openBrowser(app))).toBe(emailTaken);
    provider.account = { ...root, email: 'local@example.com' };
    expect(await signInThrough(openBrowser(app))).toBe(emailTaken);
    expect(await identities(app)).toEqual([]);
  });

  test('takes them where the file says so', async () => {
    const allowed = { link_local_users: true, link_administrators: true };
    const { app, provider } = await companyApp(allowed);
    provider.account = root;
    const browser = openBrowser(app);
    await signInThrough(browser);
    expect(await whoIsIn(app, browser)).toMatchObject({ username: 'root', external: false });
    await expect(app.signIn('root', password)).resolves.toBeDefined();
  });

  test('is off where the file says so', async () => {
    const { app, provider } = await companyApp({ link_by_email: false });
    const made = { username: 'ada', name: 'Ada', email: 'ada@example.com', admin: false };
    await createUser(app.ctx, { ...made, password: null });
    provider.account = { sub: '1', email: 'ada@example.com', email_verified: true };
    expect(await signInThrough(openBrowser(app))).toBe(emailTaken);
  });

  test('does not take an account that waits with an address that nobody has verified', async () => {
    const { app, provider } = await companyApp();
    provider.account = { sub: 'thief', email: 'boss@example.com', email_verified: false };
    expect(await signInThrough(openBrowser(app))).toBe('/');
    await app.ctx.db.updateTable('user_identities').set({ provider: 'other' }).execute();
    provider.account = { sub: 'boss', email: 'boss@example.com', email_verified: true };
    expect(await signInThrough(openBrowser(app))).toBe(emailTaken);
  });
});

describe('accounts', () => {
  test('are not made where the file says so', async () => {
    const { app } = await companyApp({ create_users: false });
    const end = await signInThrough(openBrowser(app));
    expect(end).toBe('/auth/login?error=identity.no_account');
  });

  test('need an e-mail address', async () => {
    const { app, provider } = await companyApp();
    provider.account = { sub: 'nobody' };
    const end = await signInThrough(openBrowser(app));
    expect(end).toBe('/auth/login?error=identity.email_missing');
  });

  test('have their login in place of an address where the file allows it', async () => {
    const { app, provider } = await companyApp({ create_users_without_email: true });
    provider.account = { sub: 'robot-7', preferred_username: 'Backup' };
    const signIn = async (): Promise<Record<string, unknown>> => {
      const browser = openBrowser(app);
      expect(await signInThrough(browser)).toBe('/');
      return whoIsIn(app, browser);
    };
    const made = { username: 'backup', email: 'backup', external: true };
    expect(await signIn()).toMatchObject(made);
    expect(await signIn()).toMatchObject(made);
    provider.account = { sub: 'robot-8' };
    expect(await signIn()).toMatchObject({ name: 'robot-8', email: 'robot-8' });
    provider.account = { sub: 'robot-7', email: 'ops@example.com', email_verified: true };
    expect(await signIn()).toMatchObject({ username: 'backup', email: 'ops@example.com' });
  });

  test('never get the login of somebody else', async () => {
    const { app, provider } = await companyApp();
    for (const [sub, name] of Object.entries({ a: 'root', b: 'root@example.com' })) {
      const email = `${sub}@example.com`;
      provider.account = { sub, email, preferred_username: name };
      const browser = openBrowser(app);
      await signInThrough(browser);
      expect((await whoIsIn(app, browser))['username']).toBe(`${name}-2`);
    }
  });
});

describe('the ways to sign in', () => {
  const tops = { top: { password_login: 'off' } };
  const tryPassword = (caller: Caller, auth: string) =>
    caller.ask(session.signIn, { body: { auth, password } });

  test('are listed without anything that is secret', async () => {
    const { app } = await companyApp({ color: '#ff0000', icon: 'brand' }, tops);
    expect(await app.nobody.call(session.ways, {})).toEqual({
      oidc_providers: [{ id: 'company', name: 'Company', color: '#ff0000', icon: 'brand' }],
      login_with_password: false,
      auth_methods: { totp: { allow_recovery: true } },
    });
  });

  test('leave passwords to administrators where the file says so', async () => {
    const { app } = await companyApp({}, tops);
    const ada = { username: 'ada', name: 'Ada', email: 'ada@example.com', admin: false };
    await createUser(app.ctx, { ...ada, password });
    const answer = await tryPassword(app.nobody, 'ada');
    expect([answer.status, answer.body.code]).toEqual([401, 'session.bad_credentials']);
    expect((await tryPassword(app.nobody, 'root')).status).toBe(204);
  });

  test.each([
    ['?t=5&sort=-name', '/?t=5&sort=-name'],
    ['?next=%2Faccount%3Fx%3D1&t=5', '/account?x=1'],
    ['?next=%2F%2Felsewhere.example', '/'],
    ['', '/'],
  ])('%j leads back to %s', async (search, page) => {
    const { app } = await companyApp();
    const browser = openBrowser(app);
    const end = await browser.visit(await browser.follow(await browser.visit(begin + search)));
    expect(end).toBe(page);
  });

  test('a provider that is not there is told on the sign-in page', async () => {
    const { app } = await companyApp();
    const end = await openBrowser(app).visit(begin.replace('company', 'none'));
    expect(end).toBe('/auth/login?error=identity.unknown_provider');
  });
});

describe('signing out', () => {
  const leave = (app: TestApp, { cookies }: Browser) =>
    app.nobody.raw({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { cookie: `signalbox=${cookies.get('signalbox')}` },
    });

  test('ends the session at the provider too, whose token was kept sealed', async () => {
    const { app, provider } = await companyApp();
    const browser = openBrowser(app);
    await signInThrough(browser);
    const rows = await app.ctx.db.selectFrom('sessions').select('id_token').execute();
    expect(rows.map(({ id_token: token }) => token?.slice(0, 3) ?? 'none').toSorted()).toEqual([
      'none',
      'v3:',
    ]);
    const answer = await leave(app, browser);
    const url = new URL(answer.json<{ end_session_url: string }>().end_session_url);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(
      'http://signalbox.test/auth/login',
    );
    expect((await fetch(url)).status).toBe(200);
    expect((await app.nobody.ask(users.current, {})).status).toBe(401);
  });

  test('ends it here only where the file says so', async () => {
    const { app } = await companyApp({ end_session: false });
    const browser = openBrowser(app);
    await signInThrough(browser);
    expect((await leave(app, browser)).statusCode).toBe(204);
  });
});
