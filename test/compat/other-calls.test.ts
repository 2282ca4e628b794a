// Calls that clients of other versions of the API make beside those of single resources.

import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { type Json, oldClient, oldProject, sameServer } from '../helpers/old-client.ts';

const empty = {
  templates: [],
  inventories: [],
  repositories: [],
  schedules: [],
  integrations: [],
  alert_channels: [],
  host_configs: [],
  execution_environments: [],
  projects: [],
  workflows: [],
};

test('lists are sorted by what clients know, or as they are where that would tell what is hidden', async () => {
  const client = await oldClient();
  const { at } = await oldProject(client);
  await client.app.user('zoe');
  await client.app.user('ada');
  for (const path of ['/users', `${at}/users`]) {
    const [plain, sorted] = [await client.list(path), await client.list(`${path}?sort=email`)];
    expect(sorted).toEqual(plain);
    expect((await client.ask('GET', `${path}?sort=password_hash`)).status).toBe(400);
  }
  const byKey = await client.list(`${at}/repositories?sort=ssh_key&order=desc`);
  expect(byKey.map(({ name }) => name)).toEqual(['Code']);
});

test('who may not see the aliases of integrations is given an empty list', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  await client.call('POST', `${project.at}/integrations/aliases`);
  expect(await client.list(`${project.at}/integrations/aliases`)).toHaveLength(1);
  const { userId } = await client.app.user('guest');
  await client.call('POST', `${project.at}/users`, { user_id: userId, role: 'guest' });
  const guest = await sameServer(client, 'guest');
  const answer = await guest.ask('GET', `${project.at}/integrations/aliases`);
  expect([answer.status, answer.list]).toEqual([200, []]);
  expect((await guest.ask('GET', `${project.at}/integrations/999/aliases`)).status).toBe(404);
  expect((await guest.ask('POST', `${project.at}/integrations/aliases`)).status).toBe(403);
});

test('a user of a provider needs neither a password nor an e-mail address', async () => {
  const client = await oldClient();
  const form = { username: 'svc', name: 'Service', external: true };
  const made = await client.call('POST', '/users', { ...form, email: 'svc@ldap local' });
  const path = `/users/${Number(made['id'])}`;
  const one = await client.call('GET', path);
  expect(one).toMatchObject({ email: 'svc@ldap local', external: true });
  expect((await client.ask('PUT', path, { ...one, name: 'Other' })).status).toBe(204);
  const other = await client.call('POST', '/users', { ...form, username: 'Bot', email: '' });
  expect(other).toMatchObject({ username: 'Bot', email: 'Bot' });
  const local = { username: 'eve', name: 'Eve', password: 'a long test password' };
  const refused = await client.ask('POST', '/users', { ...local, email: 'nowhere' });
  expect(refused.json['fields']).toMatchObject([{ path: 'email', code: 'user.email_invalid' }]);
  const missing = await client.ask('POST', '/users', local);
  expect(missing.json['fields']).toMatchObject([{ path: 'email', code: 'user.email_required' }]);
  const eve = await client.call('POST', '/users', { ...local, email: 'eve@example.com' });
  const change = { ...eve, email: 'nowhere' };
  const wrong = await client.ask('PUT', `/users/${Number(eve['id'])}`, change);
  expect(wrong.json['fields']).toMatchObject([{ path: 'email', code: 'user.email_invalid' }]);
});

test('keys are filtered by type, and inventories by app', async () => {
  const client = await oldClient();
  const { at, key } = await oldProject(client);
  const names = async (path: string) => (await client.list(`${at}${path}`)).map(({ name }) => name);
  const login = { name: 'Login', type: 'login_password', login_password: { password: 'x' } };
  await client.call('POST', `${at}/keys`, login);
  expect(await names('/keys?type=login_password')).toEqual(['Login']);
  expect(await names('/keys?type=ssh')).toEqual([]);
  expect(await names('/keys?sort=name&type=none')).not.toContain('Login');
  const workspace = { name: 'Stage', type: 'terraform-workspace', inventory: 'stage' };
  await client.call('POST', `${at}/inventory`, { ...workspace, ssh_key_id: key });
  expect(await names('/inventory?app=ansible')).toEqual(['Hosts']);
  expect(await names('/inventory?app=terraform')).toEqual(['Stage']);
  expect(await names('/inventory?app=tofu')).toEqual(['Stage']);
  expect(await names('/inventory?app=bash')).toEqual([]);
});

test('the roles of a project and the branches of a repository are listed', async () => {
  const client = await oldClient();
  const { at, key, repository } = await oldProject(client);
  const roles = await client.list(`${at}/roles/all`);
  expect(roles.map(({ slug, permissions }) => [slug, permissions])).toEqual([
    ['owner', 15],
    ['manager', 5],
    ['task_runner', 1],
    ['guest', 0],
  ]);
  expect((await client.ask('GET', `${at}/repositories/${repository}/branches`)).list).toEqual(
    expect.any(Array),
  );
  const gone = { name: 'Gone', git_url: '/nowhere/at/all', git_branch: '', ssh_key_id: key };
  const { id } = await client.call('POST', `${at}/repositories`, gone);
  const answer = await client.ask('GET', `${at}/repositories/${Number(id)}/branches`);
  expect([answer.status, answer.json['code']]).toEqual([422, 'repository.unreachable']);
});

test('what uses a schedule, a user, an app or a runner is told in the usual form', async () => {
  const client = await oldClient();
  const { at, ...project } = await oldProject(client);
  const form = { name: 'Run', app: 'bash', playbook: 'run.sh', repository_id: project.repository };
  const template = await client.call('POST', `${at}/templates`, {
    ...form,
    environment_id: project.environment,
  });
  const schedule = await client.call('POST', `${at}/schedules`, {
    template_id: template['id'],
    name: 'Daily',
    cron_format: '@daily',
  });
  const { userId } = await client.app.user('ada');
  const runner = await client.call('POST', `${at}/runners`, { name: 'Own' });
  const paths = [
    `${at}/schedules/${Number(schedule['id'])}`,
    `/users/${userId}`,
    `${at}/runners/${Number(runner['id'])}`,
    `/runners/${Number(runner['id'])}`,
  ];
  for (const path of paths) {
    expect([path, await client.call('GET', `${path}/refs`)]).toEqual([path, empty]);
  }
  expect(await client.call('GET', '/apps/bash/refs')).toEqual({
    ...empty,
    templates: [{ id: template['id'], name: 'Run' }],
  });
  expect((await client.ask('GET', '/users/999/refs')).status).toBe(404);
});

test('a test of the alerts of a project goes through all channels that are switched on', async () => {
  const client = await oldClient();
  const { at } = await oldProject(client);
  const none = await client.ask('POST', `${at}/notifications/test`);
  expect([none.status, none.json['code']]).toEqual([409, 'alert_channel.none_active']);
  const channel = { type: 'webhook', events: ['failed'], address: 'http://127.0.0.1:9/hook' };
  await client.call('POST', `${at}/alert_channels`, { ...channel, name: 'On', active: true });
  await client.call('POST', `${at}/alert_channels`, { ...channel, name: 'Off', active: false });
  const sent = await client.ask('POST', `${at}/notifications/test`);
  expect(sent.status).toBe(200);
  expect(sent.list).toMatchObject([
    { name: 'On', delivered: false, error_code: 'refused_address' },
  ]);
});

test('clients keep small values for their users, who see their own only', async () => {
  const client = await oldClient();
  expect(await client.call('GET', '/user/options')).toEqual({});
  const set = (value: string): Promise<Json> =>
    client.call('POST', '/user/options', { key: 'list.columns', value });
  expect(await set('name')).toEqual({ key: 'list.columns', value: 'name' });
  await set('name,state');
  expect(await client.call('GET', '/user/options')).toEqual({ 'list.columns': 'name,state' });
  await client.app.user('ada');
  const ada = await sameServer(client, 'ada');
  expect(await ada.call('GET', '/user/options')).toEqual({});
  for (let count = 1; count < 100; count += 1) {
    await ada.call('POST', '/user/options', { key: `key${count}`, value: '' });
  }
  await ada.call('POST', '/user/options', { key: 'key100', value: 'x' });
  const much = await ada.ask('POST', '/user/options', { key: 'key101', value: '' });
  expect(much.json['fields']).toMatchObject([{ path: 'key', code: 'field.too_many' }]);
  expect(await ada.call('GET', '/user/options')).not.toHaveProperty('key101');
});

test('a server that only serves people says that runners elsewhere run its tasks', async () => {
  const app = await testApp({ config: { role: 'web' } });
  const info = (await app.admin.raw({ url: '/api/info' })).json<Json>();
  expect(info['use_remote_runner']).toBe(true);
});
