import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { password, testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { createUser } from '../users/users.ts';

const day = 86_400_000;

/** The attributes of each cookie that an answer sets. */
function cookiesOf(headers: Record<string, unknown>): Record<string, string[]> {
  const lines = [headers['set-cookie'] ?? ''].flat().map(String);
  return Object.fromEntries(
    lines.map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      return [pair.split('=')[0] ?? '', attributes.sort()];
    }),
  );
}

const tryToSignIn = (app: TestApp, auth: string, secret: string) =>
  app.nobody.ask(session.signIn, { body: { auth, password: secret } });

describe('signing in', () => {
  test('takes login or e-mail address in any case', async () => {
    const app = await testApp();
    for (const auth of ['root', 'ROOT', 'root@example.com', 'Root@Example.COM', '  root ']) {
      const caller = await app.signIn(auth, password);
      expect((await caller.call(users.current, {})).username).toBe('root');
    }
  });

  test('refuses a wrong password and an unknown login with the same words', async () => {
    const app = await testApp();
    const answers = [
      await tryToSignIn(app, 'root', 'not the password'),
      await tryToSignIn(app, 'root', password.toUpperCase()),
      await tryToSignIn(app, 'nobody-of-this-name', password),
      await tryToSignIn(app, "' or 1=1 --", password),
      await tryToSignIn(app, '%', password),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual({
        error: 'Incorrect login or password',
        code: 'session.bad_credentials',
        params: {},
        request_id: expect.any(String),
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  test('asks for what was left empty', async () => {
    const app = await testApp();
    const { status, body } = await tryToSignIn(app, ' ', '');
    expect(status).toBe(400);
    expect(body.fields).toEqual([
      { path: 'auth', code: 'user.username_required', message: 'Username is required' },
      { path: 'password', code: 'user.password_required', message: 'Password is required' },
    ]);
  });

  test('refuses a login that no database can hold', async () => {
    const app = await testApp();
    const { status, body } = await tryToSignIn(app, 'ro\u0000ot', password);
    expect([status, body.code]).toEqual([400, 'request.invalid']);
  });

  test('never lets in a user whose password is kept elsewhere', async () => {
    const app = await testApp();
    await app.user('external');
    await app.ctx.db
      .updateTable('users')
      .set({ password_hash: null, external: 1 })
      .where('username', '=', 'external')
      .execute();
    for (const secret of [password, 'null', 'undefined']) {
      const { status, body } = await tryToSignIn(app, 'external', secret);
      expect([status, body.code]).toEqual([401, 'session.bad_credentials']);
    }
  });

  test('keeps the token as a hash only', async () => {
    const app = await testApp();
    const [, token = ''] = /signalbox=([^;]+)/.exec(app.admin.cookie) ?? [];
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const rows = await app.ctx.db.selectFrom('sessions').selectAll().execute();
    expect(rows.map((row) => row.token_hash)).toEqual([
      createHash('sha256').update(token).digest('hex'),
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('prefers the login when it looks like the e-mail address of somebody else', async () => {
    const app = await testApp();
    const mimic = { username: 'root@example.com', name: 'Mimic', email: 'mimic@example.com' };
    await createUser(app.ctx, { ...mimic, password: 'the password of the mimic', admin: false });
    const caller = await app.signIn('root@example.com', 'the password of the mimic');
    expect((await caller.call(users.current, {})).name).toBe('Mimic');
  });
});

describe('the session', () => {
  test('lives in a cookie that no script can read, beside a mark that scripts can', async () => {
    const app = await testApp();
    const { status, headers } = await tryToSignIn(app, 'root', password);
    expect(status).toBe(204);
    expect(cookiesOf(headers)).toEqual({
      signalbox: ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'],
      signalbox_signed_in: ['Max-Age=604800', 'Path=/', 'SameSite=Lax'],
      signalbox_device: ['HttpOnly', 'Max-Age=31536000', 'Path=/api/auth/login', 'SameSite=Strict'],
    });
  });

  test('travels over https only when that is the public address', async () => {
    const app = await testApp({ config: { publicUrl: 'https://signalbox.example' } });
    const { headers } = await tryToSignIn(app, 'root', password);
    const cookies = cookiesOf(headers);
    expect(cookies['signalbox']).toContain('Secure');
    expect(cookies['signalbox']).toContain('HttpOnly');
    expect(cookies['signalbox_signed_in']).toContain('Secure');
    expect(cookies['signalbox_device']).toContain('Secure');
  });

  test('ends with signing out, also for whoever kept the token', async () => {
    const app = await testApp();
    const { status, headers } = await app.admin.ask(session.signOut, {});
    expect(status).toBe(204);
    expect([headers['set-cookie']].flat().join('\n')).toMatch(/signalbox=;.*1970/);
    expect((await app.admin.ask(users.current, {})).status).toBe(401);
    expect(await app.ctx.db.selectFrom('sessions').select('id').execute()).toEqual([]);
  });

  test('of somebody else stays when one signs out', async () => {
    const app = await testApp();
    const other = await app.signIn('root', password);
    await app.admin.call(session.signOut, {});
    expect((await other.ask(users.current, {})).status).toBe(200);
  });

  test('ends seven days after its last use', async () => {
    const app = await testApp();
    app.clock.advance(7 * day - 60_000);
    expect((await app.admin.ask(users.current, {})).status).toBe(200);
    app.clock.advance(7 * day - 60_000);
    expect((await app.admin.ask(users.current, {})).status).toBe(200);
    app.clock.advance(7 * day + 1000);
    const { status, body } = await app.admin.ask(users.current, {});
    expect([status, body.code]).toEqual([401, 'session.required']);
  });

  test('is removed from the database some time after it has ended', async () => {
    const app = await testApp();
    app.clock.advance(8 * day);
    await app.signIn('root', password);
    expect(await app.ctx.db.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  });

  test('is not opened by a hash, an empty or a made-up token', async () => {
    const app = await testApp();
    const { token_hash: hash } = await app.ctx.db
      .selectFrom('sessions')
      .select('token_hash')
      .executeTakeFirstOrThrow();
    for (const token of [hash, '', 'x', '%00', `${hash}=`]) {
      const headers = { cookie: `signalbox=${token}` };
      const answer = await app.app.http.inject({ url: '/api/user', headers });
      expect(answer.statusCode).toBe(401);
    }
  });
});

describe('guessing passwords', () => {
  test('is slowed down after ten wrong ones, for no other account', async () => {
    const app = await testApp();
    await app.user('other');
    for (let count = 0; count < 10; count += 1) {
      expect((await tryToSignIn(app, 'root', `guess ${count}`)).status).toBe(401);
    }
    const { status, body, headers } = await tryToSignIn(app, 'ROOT', password);
    expect([status, body.code]).toEqual([429, 'session.slowed']);
    expect(body.params['seconds']).toBeGreaterThan(20);
    expect(body.params['seconds']).toBeLessThanOrEqual(30);
    expect(Number(headers['retry-after'])).toBe(body.params['seconds']);
    await app.signIn('other', password);
  });

  test('starts to count again after the right password', async () => {
    const app = await testApp();
    for (let count = 0; count < 9; count += 1) await tryToSignIn(app, 'root', 'a guess');
    await app.signIn('root', password);
    expect((await tryToSignIn(app, 'root', 'a guess')).status).toBe(401);
    await app.signIn('root', password);
  });

  test('is counted for unknown accounts too, so that it tells nothing', async () => {
    const app = await testApp();
    for (let count = 0; count < 10; count += 1) await tryToSignIn(app, 'ghost', 'a guess');
    expect((await tryToSignIn(app, 'ghost', 'a guess')).status).toBe(429);
  });

  test('is not faster with many guesses at the same time', async () => {
    const app = await testApp();
    const guesses = Array.from({ length: 20 }, () => tryToSignIn(app, 'root', 'a guess'));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  test('counts no right password against an address, and no known browser', async () => {
    const app = await testApp();
    const signIn = (auth: string, secret: string, cookie = '') =>
      app.app.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: '192.0.2.9',
        headers: { cookie },
        payload: { auth, password: secret },
      });
    await app.user('anna');
    const first = await signIn('anna', password);
    const device = first.cookies.find(({ name }) => name === 'signalbox_device');
    for (let count = 0; count < 34; count += 1) {
      expect((await signIn('anna', password)).statusCode).toBe(204);
    }
    const wrong = Array.from({ length: 31 }, (_, count) => signIn(`somebody-${count}`, 'a guess'));
    const statuses = (await Promise.all(wrong)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const known = `signalbox_device=${device?.value}`;
    expect((await signIn('anna', password, known)).statusCode).toBe(204);
    // Guesses in it are counted too.
    for (let count = 0; count < 10; count += 1) await signIn('anna', 'a guess', known);
    expect((await signIn('anna', password, known)).statusCode).toBe(429);
    app.clock.advance(6_000);
    expect((await signIn('anna', password)).statusCode).toBe(204);
  });

  test('is limited by address, with the time to wait in a header', async () => {
    const app = await testApp();
    const attempt = (count: number, address = '192.0.2.7') =>
      app.app.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: address,
        payload: { auth: `somebody-${count}`, password: 'a guess' },
      });
    const all = await Promise.all(Array.from({ length: 31 }, (_, count) => attempt(count)));
    const [refused, ...others] = all.filter(({ statusCode }) => statusCode !== 401);
    if (!refused || others.length > 0) throw new Error('Not one of them was refused.');
    expect(refused.statusCode).toBe(429);
    const body = refused.json<{ code: string; params: { seconds: number }; error: string }>();
    expect(body.code).toBe('request.rate_limited');
    expect(body.error).toBe(`Too many attempts. Try again in ${body.params.seconds} seconds.`);
    expect(Number(refused.headers['retry-after'])).toBe(body.params.seconds);
    expect(body.params.seconds).toBeGreaterThan(0);
    expect((await attempt(32, '192.0.2.8')).statusCode).toBe(401);
  });
});

describe('a request from another site', () => {
  // These endpoints use no session, so there is none that another site could misuse.
  const webhooks = endpoints.filter(({ endpoint }) => endpoint.webhook);
  const unsafe = endpoints.filter(
    (one) => one.endpoint.method !== 'GET' && !webhooks.includes(one),
  );
  const foreign: Record<string, string>[] = [
    { origin: 'https://elsewhere.example' },
    { origin: 'http://localhost:80.elsewhere.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:80', 'sec-fetch-site': 'cross-site' },
  ];

  test('is refused by every endpoint that changes something', async () => {
    const app = await testApp();
    expect(unsafe.length).toBeGreaterThan(10);
    expect(webhooks.map(({ name }) => name)).toEqual([
      'webhooks.receive',
      'webhooks.receiveEmpty',
      'webhooks.options',
    ]);
    for (const { name, endpoint } of unsafe) {
      for (const headers of foreign) {
        const answer = await app.app.http.inject({
          method: endpoint.method,
          url: endpoint.path.replace(/:\w+/g, '1'),
          headers: { ...headers, cookie: app.admin.cookie },
          payload: {},
        });
        const { code } = answer.json<{ code: string }>();
        expect([name, headers, answer.statusCode, code]).toEqual([
          name,
          headers,
          403,
          'request.cross_site',
        ]);
      }
    }
  });

  test('is told apart from one of our own pages and from a program', async () => {
    const config = { publicUrl: 'https://signalbox.example', allowedHosts: ['signalbox.local'] };
    const app = await testApp({ config });
    const own: Record<string, string>[] = [
      {},
      { origin: 'http://signalbox.local:3000' },
      { origin: 'https://signalbox.example' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of own) {
      const answer = await app.app.http.inject({
        method: 'POST',
        url: '/api/auth/logout',
        headers: { ...headers, host: 'signalbox.local:3000' },
      });
      expect([headers, answer.statusCode]).toEqual([headers, 204]);
    }
  });

  test('may read, which the browser does not show it', async () => {
    const app = await testApp();
    const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const answer = await app.app.http.inject({ url: '/api/ping', headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});
