// A session whose second factor is still to come opens nothing but the check of the code.

import { expect, test } from 'vitest';
import { pathOf } from '#shared/api/path.ts';
import { endpoints } from '#shared/api/index.ts';
import { isOfRunner } from '#shared/permissions.ts';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { password, testApp } from '../helpers/app.ts';
import { everyId } from '../helpers/every-id.ts';
import { withSecondFactor } from '../helpers/second-factor.ts';

async function start() {
  const app = await testApp();
  const anna = await app.user('anna');
  const { code } = await withSecondFactor(app, anna);
  const half = async () => {
    const body = { auth: 'anna', password };
    const answer = await app.nobody.ask(session.signIn, { body });
    expect(answer.status).toBe(204);
    const set = [answer.headers['set-cookie'] ?? ''].flat().map(String);
    return set.find((one) => one.startsWith('signalbox='))?.split(';')[0] ?? '';
  };
  const send = async (cookie: string, url: string, payload: object = {}, method = 'POST') => {
    const answer = await app.nobody.raw({
      method: method as 'POST',
      url,
      headers: { cookie, 'content-type': 'application/json' },
      ...(method !== 'GET' && { payload }),
    });
    const { code: told } = answer.body === '' ? {} : answer.json<{ code?: string }>();
    return [answer.statusCode, told];
  };
  const verify = (cookie: string, passcode: string) =>
    send(cookie, '/api/auth/verify', { passcode });
  return { app, anna, code, half, send, verify };
}

test('opens no endpoint that asks for a session', async () => {
  const { app, half, send } = await start();
  const cookie = await half();
  const ids = await everyId(app, app.admin);
  const asking = endpoints.filter(
    ({ endpoint: { permission } }) => permission !== 'public' && !isOfRunner(permission),
  );
  const open: string[] = [];
  for (const { name, endpoint } of asking) {
    const url = pathOf(endpoint, { params: ids });
    const [status, code] = await send(cookie, url, {}, endpoint.method);
    if (status !== 401 || code !== 'session.verification_required') open.push(name);
  }
  expect(asking.length).toBeGreaterThan(100);
  expect(open).toEqual([]);
});

test('ends after five minutes, with a new password and without the second factor', async () => {
  const { app, anna, code, half, verify } = await start();
  const late = await half();
  app.clock.advance(300_000);
  expect(await verify(late, code())).toEqual([401, 'session.required']);

  const before = await half();
  const newPassword = {
    params: { user_id: anna.userId },
    body: { password: 'a new password 2' },
  };
  await app.admin.call(users.password, newPassword);
  expect(await verify(before, code())).toEqual([401, 'session.required']);
  await app.admin.call(users.password, {
    params: { user_id: anna.userId },
    body: { password },
  });

  const other = await half();
  await app.admin.call(users.removeSecondFactor, { params: { user_id: anna.userId } });
  expect(await verify(other, code())).toEqual([401, 'session.required']);
});

test('is not made by anybody else, and no part of it opens anything', async () => {
  const { app, code, half, send, verify } = await start();
  const cookie = await half();
  const token = cookie.slice('signalbox='.length);
  const other = token.at(60) === 'M' ? 'N' : 'M';
  const changed = `${token.slice(0, 60)}${other}${token.slice(61)}`;
  for (const wrong of [changed, token.slice(0, -4), 'half.', 'half.e30', token.slice(5)]) {
    expect(await verify(`signalbox=${wrong}`, code())).toEqual([401, 'session.required']);
    expect(await send(`signalbox=${wrong}`, '/api/user', {}, 'GET')).toEqual([
      401,
      'session.required',
    ]);
  }
  expect(await app.ctx.db.selectFrom('sessions').select('id').execute()).toHaveLength(2);
});

test('codes are counted with those of the sign-in, and slow both down', async () => {
  const { app, code, half, verify } = await start();
  const cookie = await half();
  for (let count = 0; count < 10; count += 1) {
    expect(await verify(cookie, '000000')).toEqual([401, 'session.wrong_code']);
  }
  expect(await verify(cookie, code())).toEqual([429, 'session.slowed']);
  const body = { auth: 'anna', password, code: code() };
  expect((await app.nobody.ask(session.signIn, { body })).body.code).toBe('session.slowed');
  app.clock.advance(30_000);
  expect(await verify(cookie, code())).toEqual([204, undefined]);
  const events = await app.ctx.db.selectFrom('events').select('code').orderBy('id').execute();
  expect(events.at(-1)?.code).toBe('session.started');
  expect(events.map((event) => event.code)).toContain('session.half_started');
});
