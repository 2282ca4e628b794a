import { expect, test } from 'vitest';
import { backups } from '#shared/api/backups.ts';
import { hostConfigs } from '#shared/api/host-configs.ts';
import { keys } from '#shared/api/keys.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { sshKeygen } from '../../../../test/helpers/private-keys.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { openHostConfigs } from './host-configs.ts';

/** A project with a key of each type. */
async function start(app: TestApp) {
  const { projectId, keyId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  const ssh = { login: 'git', passphrase: '', private_key: await sshKeygen() };
  const made = await app.admin.call(keys.create, {
    params,
    body: { name: 'Deploy', type: 'ssh', ssh },
  });
  const login_password = { login: 'robot', password: 'canary-password' };
  const login = await app.admin.call(keys.create, {
    params,
    body: { name: 'Robot', type: 'login_password', login_password },
  });
  const create = (body: object) =>
    app.admin.ask(hostConfigs.create, { params, body: body as never });
  return { params, projectId, none: keyId, ssh: made.id, login: login.id, create };
}

test('a host and a prefix are read as they were sent, and the same change changes nothing', async () => {
  const app = await testApp();
  const { params, ssh, login, projectId, create } = await start(app);
  for (const [type, host, ssh_key_id] of [
    ['host', 'git.example.org', ssh],
    ['host', '[2001:db8::1]:2222', ssh],
    ['url', 'ssh://git@git.example.org:2222/team/', ssh],
    ['url', 'https://git.example.org/My%20Team/', login],
    ['url', 'https://git.example.org', login],
  ] as const) {
    const body = { type, host, ssh_key_id };
    const made = await create(body);
    expect([host, made.status]).toEqual([host, 201]);
    const shown = { id: made.body.id, project_id: projectId, ...body };
    expect(made.body).toEqual(shown);
    const one = { params: { ...params, host_config_id: made.body.id } };
    await app.admin.call(hostConfigs.update, { ...one, body });
    await app.admin.call(hostConfigs.update, { ...one, body });
    expect(await app.admin.call(hostConfigs.one, one)).toEqual(shown);
  }
  const list = await app.admin.call(hostConfigs.list, { params });
  expect(list).toHaveLength(5);
  const [first] = list;
  const gone = { params: { ...params, host_config_id: first?.id ?? 0 } };
  await app.admin.call(hostConfigs.remove, gone);
  expect((await app.admin.ask(hostConfigs.one, gone)).status).toBe(404);
  const events = await app.ctx.db
    .selectFrom('events')
    .select(['code', 'object_name'])
    .where('object_type', '=', 'host_config')
    .orderBy('id')
    .execute();
  expect(events[0]).toEqual({ code: 'host_config.created', object_name: 'git.example.org' });
  expect(events.at(-1)?.code).toBe('host_config.deleted');
});

test('a host has one key, which names what uses it and stays as long', async () => {
  const app = await testApp();
  const { params, ssh, create } = await start(app);
  const body = { type: 'host', host: 'git.example.org', ssh_key_id: ssh };
  const { id } = (await create(body)).body;
  const second = await create(body);
  expect([second.status, second.body.code]).toEqual([409, 'host_config.name_taken']);
  const ofKey = { params: { ...params, key_id: ssh } };
  expect(await app.admin.call(keys.refs, ofKey)).toMatchObject({
    host_configs: [{ id, name: 'git.example.org' }],
    repositories: [],
  });
  const refused = await app.admin.ask(keys.remove, ofKey);
  expect([refused.status, refused.body.code]).toEqual([400, 'key.in_use']);
  expect(refused.body.params).toMatchObject({ host_configs: 'git.example.org' });
  await app.admin.call(hostConfigs.remove, { params: { ...params, host_config_id: id } });
  expect((await app.admin.ask(keys.remove, ofKey)).status).toBe(204);
});

test('a backup brings them to another project', async () => {
  const app = await testApp();
  const { params, ssh, login, create } = await start(app);
  await create({ type: 'host', host: 'git.example.org', ssh_key_id: ssh });
  await create({ type: 'url', host: 'https://git.example.org/team/', ssh_key_id: login });
  const document = await app.admin.call(backups.read, { params });
  expect(document.host_configs).toEqual([
    { type: 'host', host: 'git.example.org', ssh_key: 'Deploy' },
    { type: 'url', host: 'https://git.example.org/team/', ssh_key: 'Robot' },
  ]);
  const body = { ...document, meta: { ...document.meta, name: 'Restored' } };
  const restored = await app.admin.call(backups.restore, { body });
  const again = await app.admin.call(backups.read, { params: { project_id: restored.id } });
  expect(again.host_configs).toEqual(document.host_configs);
  // Their keys have no secrets yet, which only those who ask for these hosts notice.
  const opened = await openHostConfigs(app.ctx, restored.id);
  expect(opened.map(({ key }) => key)).toEqual([{ type: 'none' }, { type: 'none' }]);
});

test('what is no host and no prefix, and a key of another kind, are refused', async () => {
  const app = await testApp();
  const { ssh, login, none, create } = await start(app);
  const other = await start(app);
  const host = 'host_config.host_incorrect';
  const url = 'host_config.url_incorrect';
  const cases: [body: object, path: string, code: string][] = [
    ...[
      '-oProxyCommand=id',
      '*.example.org',
      'git@example.org',
      'a b',
      'example.org:0',
      'example.org:99999',
      'example.org/team',
      'https://example.org',
      '::1',
    ].map((text): [object, string, string] => [
      { type: 'host', host: text, ssh_key_id: ssh },
      'host',
      host,
    ]),
    ...[
      'git.example.org',
      'ssh://-oProxyCommand=id/x',
      'ssh://-x@example.org/',
      'https://*.example.org/',
      'https://example.org/team/../other',
      'https://example.org/%2e%2e/other',
      'https://example.org/a?b',
      "ssh://example.org/it's",
      'https://example.org/%27',
      'ext::sh -c id',
      'file:///srv',
      'git@example.org:team/',
      'http://example.org/',
    ].map((text): [object, string, string] => [
      { type: 'url', host: text, ssh_key_id: login },
      'host',
      url,
    ]),
    [
      { type: 'url', host: 'https://a:b@example.org/', ssh_key_id: login },
      'host',
      'repository.url_password',
    ],
    [{ type: 'host', host: '', ssh_key_id: ssh }, 'host', 'host_config.host_required'],
    [{ type: 'host', host: 'a' }, 'ssh_key_id', 'repository.key_required'],
    [{ host: 'a', ssh_key_id: ssh }, 'type', 'inventory.type_required'],
    [{ type: 'host', host: 'a', ssh_key_id: login }, 'ssh_key_id', 'host_config.key_ssh'],
    [{ type: 'host', host: 'a', ssh_key_id: none }, 'ssh_key_id', 'host_config.key_ssh'],
    [{ type: 'url', host: 'ssh://a/', ssh_key_id: login }, 'ssh_key_id', 'host_config.key_ssh'],
    [
      { type: 'url', host: 'https://a/', ssh_key_id: ssh },
      'ssh_key_id',
      'host_config.key_login_password',
    ],
    [{ type: 'host', host: 'a', ssh_key_id: other.ssh }, 'ssh_key_id', 'field.reference'],
  ];
  for (const [body, path, code] of cases) {
    const { status, body: refusal } = await create(body);
    expect([body, status]).toEqual([body, 400]);
    expect([body, refusal.fields]).toMatchObject([body, [{ path, code }]]);
  }
});

test('a project has a limited number of them, and members of others see none', async () => {
  const app = await testApp();
  const { params, ssh, create } = await start(app);
  for (let number = 1; number <= 50; number += 1) {
    const { status } = await create({ type: 'host', host: `host-${number}`, ssh_key_id: ssh });
    expect([number, status]).toEqual([number, 201]);
  }
  const refused = await create({ type: 'host', host: 'host-51', ssh_key_id: ssh });
  expect(refused.body.fields).toMatchObject([{ path: 'host', code: 'host_config.too_many' }]);
  const [first] = await app.admin.call(hostConfigs.list, { params });
  const other = await start(app);
  const member = await app.member(other.projectId, 'owner');
  const one = { ...params, host_config_id: first?.id ?? 0 };
  expect((await member.ask(hostConfigs.list, { params })).status).toBe(404);
  expect((await member.ask(hostConfigs.one, { params: one })).status).toBe(404);
  const own = { project_id: other.projectId, host_config_id: first?.id ?? 0 };
  expect((await member.ask(hostConfigs.remove, { params: own })).status).toBe(404);
});

test('an address without encryption is a setting of the server, and stays when the setting ends', async () => {
  const app = await testApp({ config: { httpRepositories: true } });
  const { params, login, create } = await start(app);
  const body = { type: 'url' as const, host: 'http://git.example.org/', ssh_key_id: login };
  const { id } = (await create(body)).body;
  app.ctx.config.httpRepositories = false;
  const one = { params: { ...params, host_config_id: id } };
  await app.admin.call(hostConfigs.update, { ...one, body });
  const other = { ...body, host: 'http://other.example.org/' };
  expect((await app.admin.ask(hostConfigs.update, { ...one, body: other })).status).toBe(400);
});
