// Gate: signing in. Guesses are slowed down and lock nobody out, sessions are replaced when people
// sign in, and a code of a second factor can be used once.

import { describe, expect, test } from 'vitest';
import { secondFactor } from '#shared/api/second-factor.ts';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { createApp } from '../../src/server/app.ts';
import { tidyAttempts } from '../../src/server/people/session/attempts.ts';
import { password, testApp, type TestApp } from '../helpers/app.ts';
import { watch } from '../helpers/many/watch.ts';
import { stepMs, withSecondFactor } from '../helpers/second-factor.ts';

interface Try {
  auth?: string;
  password?: string;
  code?: string;
}

/** The server, the address and the browser, by its cookie, from which somebody signs in. */
interface From {
  http?: TestApp['app']['http'];
  address?: string;
  device?: string;
}

const usual = '192.0.2.1';

async function signIn(app: TestApp, tried: Try, from: From = {}) {
  const { http = app.app.http, address = usual, device } = from;
  const answer = await http.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { auth: 'root', password, ...tried },
    remoteAddress: address,
    ...(device !== undefined && { headers: { cookie: `signalbox_device=${device}` } }),
  });
  const body = answer.body === '' ? null : answer.json<{ code: string; error: string }>();
  const cookies = answer.cookies as { name: string; value: string; path?: string }[];
  const cookie = cookies.find(({ name }) => name === 'signalbox_device');
  return { status: answer.statusCode, code: body?.code, body, headers: answer.headers, cookie };
}

/** An address that was not used before: each may ask thirty times a minute. */
const anyAddress = (): string => `198.51.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;
let addresses = 0;

const guess = { password: 'a guess' };
const pace = 30_000;

async function guessTenTimes(app: TestApp, tried: Try = guess, from: From = {}): Promise<number[]> {
  const seen: number[] = [];
  for (let count = 0; count < 10; count += 1) seen.push((await signIn(app, tried, from)).status);
  return seen;
}

const countOf = async (app: TestApp, code: string): Promise<number> => {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select('id')
    .where('code', '=', code)
    .execute();
  return rows.length;
};

const start = () => testApp();

describe('guessing', () => {
  test('after ten wrong passwords one more is taken every half a minute', async () => {
    const app = await start();
    expect(await guessTenTimes(app)).toEqual(Array.from({ length: 10 }, () => 401));
    const slowed = await signIn(app, {});
    expect([slowed.status, slowed.code]).toEqual([429, 'session.slowed']);
    expect(slowed.body?.error).toMatch(/Wait \d+ seconds before the next one, or use a browser/);
    const wait = Number(slowed.headers['retry-after']);
    expect(wait > 20 && wait <= 30).toBe(true);
    app.clock.advance(pace + 1000);
    expect((await signIn(app, guess)).status).toBe(401);
    expect((await signIn(app, {})).status).toBe(429);
    app.clock.advance(pace + 1000);
    expect((await signIn(app, {})).status).toBe(204);
    expect((await signIn(app, guess)).status).toBe(401);
  });

  test('nobody is slowed down by what others do elsewhere', async () => {
    const app = await start();
    await guessTenTimes(app);
    expect((await signIn(app, {})).status).toBe(429);
    expect((await signIn(app, {}, { address: anyAddress() })).status).toBe(204);
    // A network of IPv6 counts as one place.
    for (let count = 1; count <= 10; count += 1) {
      await signIn(app, guess, { address: `2001:db8:1:2::${count}` });
    }
    expect((await signIn(app, {}, { address: `2001:db8:1:2:ffff::1` })).status).toBe(429);
    expect((await signIn(app, {}, { address: '2001:db8:1:3::1' })).status).toBe(204);
  });

  test('a browser that has signed in here is not slowed down by anybody', async () => {
    const app = await start();
    const { cookie } = await signIn(app, {});
    expect(cookie).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
      path: '/api/auth/login',
      maxAge: 365 * 86_400,
    });
    const device = cookie?.value ?? '';
    for (let count = 0; count < 12; count += 1) {
      await guessTenTimes(app, guess, { address: anyAddress() });
    }
    await guessTenTimes(app);
    // From all addresses together, one more guess is checked every five seconds.
    expect((await signIn(app, {}, { address: anyAddress() })).code).toBe('session.slowed');
    expect((await signIn(app, {}, { device })).status).toBe(204);
    expect((await signIn(app, guess, { device })).status).toBe(401);
    app.clock.advance(5001);
    expect((await signIn(app, {}, { address: anyAddress() })).status).toBe(204);
    // Guesses from the browser slow down that browser only.
    await guessTenTimes(app, guess, { device, address: anyAddress() });
    const own = await signIn(app, {}, { device, address: anyAddress() });
    expect([own.status, own.code]).toEqual([429, 'request.rate_limited']);
    app.clock.advance(pace + 1000);
    expect((await signIn(app, {}, { device, address: anyAddress() })).status).toBe(204);
  });

  test('what a browser is known by is for one account, and ends with the password', async () => {
    const app = await start();
    const { userId } = await app.user('anna');
    const { cookie } = await signIn(app, { auth: 'anna' });
    const device = cookie?.value ?? '';
    await guessTenTimes(app);
    expect((await signIn(app, {}, { device })).status).toBe(429);
    await guessTenTimes(app, { auth: 'anna', ...guess });
    expect((await signIn(app, { auth: 'anna' }, { device })).status).toBe(204);
    const fresh = 'another long password';
    const params = { user_id: userId };
    await app.admin.call(users.password, { params, body: { password: fresh } });
    const tried = { auth: 'anna', password: fresh };
    expect((await signIn(app, tried, { device })).status).toBe(429);
    for (const wrong of ['x', 'v1:AAAA', 'v2:0:AAAA', 'v3:0:AAAA', 'y'.repeat(600)]) {
      expect((await signIn(app, tried, { device: wrong })).status).toBe(429);
    }
  });

  test('it is recorded once, however many attempts follow, and they do not make it longer', async () => {
    const app = await start();
    await guessTenTimes(app);
    app.clock.advance(pace - 10_000);
    expect(new Set(await guessTenTimes(app))).toEqual(new Set([429]));
    expect(await countOf(app, 'session.locked')).toBe(1);
    expect(await countOf(app, 'session.refused')).toBe(10);
    app.clock.advance(10_001);
    expect((await signIn(app, {})).status).toBe(204);
    await guessTenTimes(app, guess, { address: anyAddress() });
    expect(await countOf(app, 'session.locked')).toBe(2);
  });

  test('being slowed down tells nothing of whether there is such an account', async () => {
    const app = await start();
    const answers: unknown[] = [];
    for (const auth of ['root', 'nobody-of-this-name']) {
      await guessTenTimes(app, { ...guess, auth });
      const { status, body, headers } = await signIn(app, { auth });
      const { 'retry-after': after, 'content-type': type } = headers;
      const told = { ...body, params: null, error: body?.error.replace(/\d+/, 'N') };
      answers.push({ status, told: { ...told, request_id: '' }, type, has: after !== undefined });
    }
    expect(answers[0]).toEqual(answers[1]);
    const kept = await app.ctx.db.selectFrom('sign_in_attempts').selectAll().execute();
    expect(kept).toHaveLength(6);
    expect(JSON.stringify(kept)).not.toContain('nobody-of-this-name');
  });

  test('all servers of an installation count together, and a restart forgets nothing', async () => {
    const app = await start();
    const second = await createApp(app.ctx, app.parts);
    for (let count = 0; count < 5; count += 1) {
      expect((await signIn(app, guess)).status).toBe(401);
      expect((await signIn(app, guess, { http: second.http })).status).toBe(401);
    }
    await second.close();
    const third = await createApp(app.ctx, app.parts);
    expect((await signIn(app, {}, { http: third.http })).status).toBe(429);
    expect((await signIn(app, {})).status).toBe(429);
    await third.close();
  });

  test('of many guesses at once no more than ten are looked at', async () => {
    const app = await start();
    const guesses = Array.from({ length: 25 }, () => signIn(app, guess));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(await countOf(app, 'session.locked')).toBe(1);
  });

  test('a guess takes as many statements however many came before, and what is over is removed', async () => {
    const app = await start();
    const watched = watch(app.ctx);
    const server = await createApp(watched.ctx, app.parts);
    const counts: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      watched.take();
      await signIn(app, { ...guess, auth: `nobody-${count}` }, { http: server.http });
      counts.push(watched.take().filter(({ sql }) => /attempts|users|events/.test(sql)).length);
    }
    await server.close();
    expect(new Set(counts).size).toBe(1);
    await signIn(app, guess);
    app.clock.advance(60 * 60_000 + 1000);
    await tidyAttempts(app.ctx);
    expect(await app.ctx.db.selectFrom('sign_in_attempts').selectAll().execute()).toEqual([]);
  });
});

describe('second factor', () => {
  test('a code is refused the second time, and so is an earlier one', async () => {
    const app = await start();
    const { code } = await withSecondFactor(app, app.admin);
    const earlier = code(-1);
    const now = code();
    expect((await signIn(app, { code: now })).status).toBe(204);
    expect((await signIn(app, { code: now })).code).toBe('session.wrong_code');
    expect((await signIn(app, { code: earlier })).code).toBe('session.wrong_code');
    app.clock.advance(stepMs);
    expect((await signIn(app, { code: now })).code).toBe('session.wrong_code');
    expect((await signIn(app, { code: code() })).status).toBe(204);
  });

  test('the code that confirmed it lets nobody in', async () => {
    const app = await start();
    const { code } = await withSecondFactor(app, app.admin);
    expect((await signIn(app, { code: code(-1) })).code).toBe('session.wrong_code');
  });

  test('of many clients with one code exactly one gets in', async () => {
    const app = await start();
    const { code, recoveryCodes } = await withSecondFactor(app, app.admin);
    const second = await createApp(app.ctx, app.parts);
    for (const one of [code(), recoveryCodes[0] ?? '']) {
      const servers = [app.app.http, second.http, app.app.http, second.http];
      const answers = await Promise.all(
        servers.map((http) => signIn(app, { code: one }, { http })),
      );
      const seen = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(seen).toEqual([204, 401, 401, 401]);
      expect(answers.filter(({ headers }) => headers['set-cookie'])).toHaveLength(1);
    }
    await second.close();
  });

  test('a recovery code is used once, and by its owner only', async () => {
    const app = await start();
    const anna = await app.user('anna');
    await withSecondFactor(app, anna);
    const { recoveryCodes } = await withSecondFactor(app, app.admin);
    const [code = ''] = recoveryCodes;
    expect((await signIn(app, { auth: 'anna', code })).code).toBe('session.wrong_code');
    expect((await signIn(app, { code })).status).toBe(204);
    expect((await signIn(app, { code })).code).toBe('session.wrong_code');
  });

  test('wrong codes are slowed down like wrong passwords, and a missing one is not', async () => {
    const app = await start();
    const device = (await signIn(app, {})).cookie?.value ?? '';
    const { code, recoveryCodes } = await withSecondFactor(app, app.admin);
    for (let count = 0; count < 12; count += 1) {
      const { code: told } = await signIn(app, { code: '' }, { address: anyAddress() });
      expect(told).toBe('session.code_required');
    }
    const wrong = (count: number) => (count % 2 === 0 ? '000000' : 'abcd-efgh-jkmn-pqrs');
    for (let count = 0; count < 10; count += 1) {
      expect((await signIn(app, { code: wrong(count) })).code).toBe('session.wrong_code');
      // A request without a code does not reset the count.
      await signIn(app, {});
    }
    expect((await signIn(app, { code: code() })).code).toBe('session.slowed');
    expect((await signIn(app, { code: recoveryCodes[0] ?? '' })).code).toBe('session.slowed');
    expect(await countOf(app, 'session.locked')).toBe(1);
    // Twenty wrong codes from many addresses are checked without delay.
    for (let count = 0; count < 10; count += 1) {
      const from = { address: anyAddress() };
      expect((await signIn(app, { code: wrong(count) }, from)).code).toBe('session.wrong_code');
    }
    const from = { address: anyAddress() };
    expect((await signIn(app, { code: code() }, from)).code).toBe('session.slowed');
    expect((await signIn(app, { code: code() }, { ...from, device })).status).toBe(204);
  });

  test('guessing the password to remove it is limited like signing in', async () => {
    const app = await start();
    await withSecondFactor(app, app.admin);
    for (let count = 0; count < 10; count += 1) {
      expect((await app.admin.ask(secondFactor.remove, { body: guess })).status).toBe(400);
    }
    expect((await app.admin.ask(secondFactor.remove, { body: { password } })).status).toBe(429);
  });
});

describe('rotation of sessions', () => {
  test('signing in never goes on with a token that the browser brought', async () => {
    const app = await start();
    const tokens = new Set<string>();
    for (const cookie of [app.admin.cookie, 'signalbox=chosen-by-somebody-else', '']) {
      const answer = await app.app.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { cookie },
        payload: { auth: 'root', password },
      });
      const [, token = ''] = /signalbox=([^;]+)/.exec(String(answer.headers['set-cookie'])) ?? [];
      expect(cookie).not.toContain(token);
      tokens.add(token);
    }
    expect(tokens.size).toBe(3);
  });

  test('a new password and a change of the second factor end all other sessions', async () => {
    const app = await start();
    const isIn = async (cookie: string) =>
      (await app.app.http.inject({ url: '/api/user', headers: { cookie } })).statusCode === 200;
    const here = app.admin;
    const first = await app.signIn('root', password);
    const { code } = await withSecondFactor(app, here);
    const second = await app.signIn('root', password, code());
    expect([await isIn(first.cookie), await isIn(second.cookie)]).toEqual([false, true]);
    await here.call(secondFactor.remove, { body: { password } });
    const third = await app.signIn('root', password);
    expect([await isIn(second.cookie), await isIn(third.cookie)]).toEqual([false, true]);
    const params = { user_id: here.userId };
    const body = { password: 'an even longer password', old_password: password };
    await here.call(users.password, { params, body });
    expect([await isIn(third.cookie), await isIn(here.cookie)]).toEqual([false, true]);
    await here.call(session.signOut, {});
    expect(await isIn(here.cookie)).toBe(false);
  });
});
