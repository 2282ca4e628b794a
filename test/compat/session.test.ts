// What clients of the older API do first: who am I, what is this, who else is here.

import { expect, test } from 'vitest';
import { password } from '../helpers/app.ts';
import { oldClient, sameServer } from '../helpers/old-client.ts';
import { withSecondFactor } from '../helpers/second-factor.ts';
import { until } from '../helpers/until.ts';

const user = {
  id: expect.any(Number),
  created: expect.stringMatching(/Z$/),
  username: 'root',
  name: 'root',
  email: 'root@example.com',
  admin: true,
  external: false,
  alert: false,
  can_create_project: true,
  second_factor: false,
};

test('signing in answers nothing but a cookie; a wrong password is 401', async () => {
  const client = await oldClient({ signIn: false });
  expect((await client.ask('GET', '/ping')).text).toBe('pong');
  expect((await client.ask('GET', '/user')).status).toBe(401);
  const ways = await client.call('GET', '/auth/login');
  expect(ways).toEqual({
    oidc_providers: [],
    login_with_password: true,
    auth_methods: { totp: { allow_recovery: true } },
  });
  const wrong = await client.ask('POST', '/auth/login', { auth: 'root', password: 'no' });
  expect([wrong.status, wrong.json['error']]).toEqual([401, 'Incorrect login or password']);
  const right = await client.ask('POST', '/auth/login', { auth: 'ROOT@example.com', password });
  expect([right.status, right.text]).toEqual([204, '']);
  expect(right.headers.getSetCookie()).not.toEqual([]);
  expect(await client.call('GET', '/user')).toEqual({
    ...user,
    second_factor_setup: false,
  });
  expect(await client.call('GET', '/info')).toMatchObject({
    version: expect.stringMatching(/^\d/),
    ansible: expect.any(String),
    web_host: client.address,
    use_remote_runner: false,
    auth_methods: { totp: { allow_recovery: true } },
    schedule_timezone: expect.any(String),
    roles: [
      { slug: 'owner', name: 'Owner', permissions: 15 },
      { slug: 'manager', name: 'Manager', permissions: 5 },
      { slug: 'task_runner', name: 'Task Runner', permissions: 1 },
      { slug: 'guest', name: 'Guest', permissions: 0 },
    ],
    premium_features: {},
  });
  expect((await client.ask('POST', '/auth/logout')).status).toBe(204);
  expect((await client.ask('GET', '/user')).status).toBe(401);
});

test('a second factor is asked for after the sign-in, and verified by a call of its own', async () => {
  const client = await oldClient({ signIn: false });
  const { app } = client;
  const { code, recoveryCodes } = await withSecondFactor(app, app.admin);
  const signIn = () => client.ask('POST', '/auth/login', { auth: 'root', password });
  const asked = async (path: string) => {
    const answer = await client.ask('GET', path);
    return [answer.status, answer.json['error']];
  };
  expect((await client.ask('POST', '/auth/verify', { passcode: code() })).status).toBe(401);
  const half = await signIn();
  expect([half.status, half.text]).toEqual([204, '']);
  expect(await asked('/user')).toEqual([401, 'TOTP_REQUIRED']);
  expect(await asked('/projects')).toEqual([401, 'TOTP_REQUIRED']);
  const wrong = await client.ask('POST', '/auth/verify', { passcode: '000000' });
  const { code: wrongCode, error } = wrong.json;
  expect([wrong.status, wrongCode, error]).toEqual([401, 'session.wrong_code', 'INVALID_PASSCODE']);
  expect(await asked('/user')).toEqual([401, 'TOTP_REQUIRED']);
  expect((await client.ask('POST', '/auth/verify', { passcode: code() })).status).toBe(204);
  expect(await client.call('GET', '/user')).toMatchObject({ username: 'root' });
  // Of a session that is whole there is nothing to verify.
  expect((await client.ask('POST', '/auth/verify', { passcode: '000000' })).status).toBe(204);

  await signIn();
  const recovery = { recovery_code: recoveryCodes[0] };
  expect((await client.ask('POST', '/auth/recovery', recovery)).status).toBe(204);
  expect(await client.call('GET', '/user')).toMatchObject({ second_factor: true });

  await signIn();
  const used = await client.ask('POST', '/auth/recovery', recovery);
  expect([used.status, used.json['error']]).toEqual([401, 'INVALID_RECOVERY_CODE']);
  expect((await client.ask('POST', '/auth/logout')).status).toBe(204);
  expect(await asked('/user')).toEqual([401, 'Sign in first.']);
});

test('HEAD is answered wherever GET is, and a slash at the end changes nothing', async () => {
  const client = await oldClient();
  for (const path of ['/ping', '/user', '/projects', '/info', '/events', '/apps', '/tasks']) {
    expect([path, (await client.ask('GET', path)).status]).toEqual([path, 200]);
    const head = await client.ask('HEAD', path);
    expect([path, head.status, head.text]).toEqual([path, 200, '']);
    // The version of Ansible may come between the two.
    const texts = async () => {
      const answers = [await client.ask('GET', path), await client.ask('GET', `${path}/`)];
      return new Set(answers.map(({ text }) => text));
    };
    expect([path, await until(async () => (await texts()).size === 1)]).toEqual([path, true]);
  }
});

test('users are made, changed as whole objects and deleted', async () => {
  const client = await oldClient();
  const form = {
    name: 'Ada',
    username: 'Ada',
    email: 'ada@example.com',
    password,
    admin: null,
    alert: true,
    external: false,
    project_id: null,
  };
  const made = await client.ask('POST', '/users', form);
  const shown = {
    ...user,
    username: 'Ada',
    name: 'Ada',
    email: 'ada@example.com',
    admin: false,
    can_create_project: false,
    alert: true,
  };
  expect([made.status, made.json]).toEqual([201, shown]);
  const path = `/users/${Number(made.json['id'])}`;
  const one = await client.call('GET', path);
  expect(one).toEqual(shown);
  const change = { ...one, name: 'Ada L.', password: null, can_create_project: false };
  expect((await client.ask('PUT', path, change)).status).toBe(204);
  expect(await client.call('GET', path)).toEqual({ ...shown, name: 'Ada L.' });
  expect((await client.ask('POST', `${path}/password`, { password })).status).toBe(204);
  const ada = await sameServer(client, 'ada');
  expect((await ada.list('/users')).map((other) => Object.keys(other).sort())).toEqual([
    ['id', 'name', 'username'],
    ['id', 'name', 'username'],
  ]);
  expect((await client.ask('DELETE', path)).status).toBe(204);
  expect((await client.ask('GET', path)).status).toBe(404);
});

test('a token is made without a body and sent as Bearer', async () => {
  const client = await oldClient();
  const made = await client.ask('POST', '/user/tokens');
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({ user_id: expect.any(Number), expired: false });
  const plain = await oldClient({ signIn: false });
  const headers = { authorization: `Bearer ${String(made.json['token'])}` };
  const ask = () => fetch(`${client.address}/api/user`, { headers });
  expect((await ask()).status).toBe(200);
  expect((await plain.ask('GET', '/user', undefined, headers)).status).toBe(401);
  // Its id is the token itself where it is made, and a text that tells nothing later.
  expect(made.json['id']).toBe(made.json['token']);
  expect(await client.list('/user/tokens')).toMatchObject([{ id: expect.stringMatching(/^\d+$/) }]);
  const path = `/user/tokens/${String(made.json['id'])}`;
  expect((await client.ask('DELETE', path)).status).toBe(204);
  expect((await ask()).status).toBe(401);
  expect((await client.ask('DELETE', path)).status).toBe(404);
  await client.ask('POST', '/user/tokens');
  const [other] = await client.list('/user/tokens');
  expect((await client.ask('DELETE', `/user/tokens/${String(other?.['id'])}`)).status).toBe(204);
  expect(await client.list('/user/tokens')).toEqual([]);
});

test('administrators read apps, options, runners and the tasks of everybody', async () => {
  const client = await oldClient();
  const [ansible] = await client.list('/apps');
  expect(ansible).toMatchObject({
    id: 'ansible',
    active: true,
    priority: expect.any(Number),
    title: expect.any(String),
    icon: expect.any(String),
    color: expect.any(String),
    dark_color: expect.any(String),
    path: expect.any(String),
    args: [],
  });
  const form = { id: 'tool', title: 'Tool', icon: null, path: '/bin/sh', priority: 5, args: null };
  expect((await client.ask('PUT', '/apps/tool', form)).status).toBe(204);
  expect((await client.ask('POST', '/apps/tool/active', { active: false })).status).toBe(204);
  expect(await client.call('GET', '/apps/tool')).toMatchObject({ title: 'Tool', active: false });
  expect((await client.ask('DELETE', '/apps/tool')).status).toBe(204);
  const option = { key: 'colour', value: 'red' };
  expect(await client.call('POST', '/options', option)).toEqual(option);
  expect(await client.call('GET', '/options')).toEqual({ colour: 'red' });
  expect(await client.list('/runners')).toMatchObject([
    { id: expect.any(Number), active: true, webhook: '' },
  ]);
  expect(await client.list('/tasks')).toEqual([]);
});
