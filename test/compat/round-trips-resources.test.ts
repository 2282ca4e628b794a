// Round trips as programs make them that manage a server by descriptions: projects and their members,
// keys, repositories, inventories, groups of variables; users; runners and their tokens.

import { expect, test } from 'vitest';
import { password, testApp } from '../helpers/app.ts';
import { bearerProgram, expectRoundTrip, type Json, type Program } from '../helpers/round-trip.ts';

const sshKey = [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'b3BlbnNzaC1rZXk=',
  '-----END OPENSSH PRIVATE KEY-----',
].join('\n');

async function start(): Promise<{ program: Program; at: string; key: number }> {
  const program = await bearerProgram(await testApp());
  const project = await program.call('POST', '/projects', { name: 'Described' });
  const at = `/project/${String(project['id'])}`;
  const key = await program.call('POST', `${at}/keys`, { name: 'No key', type: 'none' });
  return { program, at, key: Number(key['id']) };
}

/** A project is listed under one path and found under another. */
async function expectProject(program: Program, send: Json, change: Json): Promise<void> {
  const made = await program.call('POST', '/projects', send);
  expect(made).toMatchObject(send);
  const path = `/project/${String(made['id'])}`;
  const first = await program.call('GET', path);
  expect(first).toEqual(made);
  await program.call('PUT', path, first);
  expect(await program.call('GET', path)).toEqual(first);
  await program.call('PUT', path, { ...first, ...change });
  expect(await program.call('GET', path)).toEqual({ ...first, ...change });
  await program.call('DELETE', path);
  expect((await program.ask('GET', path)).status).toBe(404);
}

test('projects', async () => {
  const { program } = await start();
  const send = { name: 'Web', alert: true, alert_chat: '-100', max_parallel_tasks: 3, type: '' };
  await expectProject(program, send, { name: 'Web site', max_parallel_tasks: 0 });
  await expectProject(program, { name: 'Small' }, { alert: true });
});

test('users', async () => {
  const { program } = await start();
  const ada = { username: 'ada', name: 'Ada', email: 'ada@example.com', admin: false, alert: true };
  await expectRoundTrip(program, {
    at: '/users',
    send: { ...ada, external: false, password },
    writeOnly: ['password'],
    change: { name: 'Ada L.', admin: true },
  });
  await expectRoundTrip(program, {
    at: '/users',
    send: { ...ada, external: true },
    change: { alert: false },
  });
});

test('members', async () => {
  const { program, at } = await start();
  const { id } = await program.call('POST', '/users', {
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    password,
  });
  const path = `${at}/users/${String(id)}`;
  await program.call('POST', `${at}/users`, { user_id: id, role: 'guest' });
  const first = await program.call('GET', path);
  expect(first).toMatchObject({ id, username: 'ada', role: 'guest' });
  await program.call('PUT', path, first);
  expect(await program.call('GET', path)).toEqual(first);
  await program.call('PUT', path, { ...first, role: 'manager' });
  expect(await program.call('GET', path)).toEqual({ ...first, role: 'manager' });
  await program.call('DELETE', path);
  expect((await program.ask('GET', path)).status).toBe(404);
});

test('keys of each type', async () => {
  const { program, at } = await start();
  const trips = [
    { send: { name: 'Nothing', type: 'none' }, writeOnly: [] },
    {
      send: {
        name: 'Login',
        type: 'login_password',
        login_password: { login: 'a', password: 'b' },
      },
      writeOnly: ['login_password'],
    },
    {
      send: {
        name: 'Ssh',
        type: 'ssh',
        ssh: { login: 'git', passphrase: 'x', private_key: sshKey },
      },
      writeOnly: ['ssh'],
    },
  ];
  for (const trip of trips) {
    await expectRoundTrip(program, { at: `${at}/keys`, ...trip, change: { name: 'Renamed' } });
  }
});

test('a key keeps its secret until another one is sent', async () => {
  const { program, at } = await start();
  const login = {
    name: 'Login',
    type: 'login_password',
    login_password: { login: 'a', password: 'b' },
  };
  const made = await program.call('POST', `${at}/keys`, login);
  const path = `${at}/keys/${String(made['id'])}`;
  const type = { type: 'ssh', ssh: { private_key: sshKey }, override_secret: true };
  await program.call('PUT', path, { ...made, ...type });
  expect(await program.call('GET', path)).toEqual({ ...made, type: 'ssh' });
});

test('repositories', async () => {
  const { program, at, key } = await start();
  const send = { name: 'Code', git_url: 'https://example.com/x.git', git_branch: 'main' };
  await expectRoundTrip(program, {
    at: `${at}/repositories`,
    send: { ...send, ssh_key_id: key },
    change: { git_branch: 'release' },
  });
  await expectRoundTrip(program, {
    at: `${at}/repositories`,
    send: { name: 'Local', git_url: '/srv/code', git_branch: '', ssh_key_id: key },
    change: { name: 'Here', with_submodules: false },
  });
});

test('keys by host and by address', async () => {
  const { program, at } = await start();
  const add = async (body: Json) => (await program.call('POST', `${at}/keys`, body))['id'];
  const login_password = { login: 'a', password: 'b' };
  const ssh = await add({ name: 'Ssh', type: 'ssh', ssh: { private_key: sshKey } });
  const login = await add({ name: 'Login', type: 'login_password', login_password });
  await expectRoundTrip(program, {
    at: `${at}/host_configs`,
    send: { type: 'host', host: 'git.example.org:2222', ssh_key_id: ssh },
    change: { host: 'git.example.org' },
  });
  await expectRoundTrip(program, {
    at: `${at}/host_configs`,
    send: { type: 'url', host: 'https://git.example.org/team', ssh_key_id: login },
    change: { type: 'url', host: 'ssh://git@git.example.org/team', ssh_key_id: ssh },
  });
});

test('inventories of each type', async () => {
  const { program, at, key } = await start();
  const repository = await program.call('POST', `${at}/repositories`, {
    name: 'Code',
    git_url: 'https://example.com/x.git',
    git_branch: 'main',
    ssh_key_id: key,
  });
  const forms: Json[] = [
    { type: 'static', inventory: '[web]\nhost\n', become_key_id: key },
    { type: 'static-yaml', inventory: 'all:\n  hosts:\n    host:\n' },
    { type: 'file', inventory: 'inventory/hosts', repository_id: repository['id'] },
    { type: 'terraform-workspace', inventory: 'staging' },
  ];
  for (const form of forms) {
    await expectRoundTrip(program, {
      at: `${at}/inventory`,
      send: { name: 'Hosts', ssh_key_id: key, ...form },
      change: { name: 'Other hosts', become_key_id: null },
    });
  }
});

test('groups of variables with secrets', async () => {
  const { program, at } = await start();
  const secret = { type: 'var', name: 'word', secret: 'x', operation: 'create' };
  await expectRoundTrip(program, {
    at: `${at}/environment`,
    send: {
      name: 'Variables',
      json: '{"a": 1}',
      env: '{"B": "c"}',
      secrets: [secret, { ...secret, type: 'env', name: 'WORD' }],
    },
    writeOnly: ['secrets.*.secret', 'secrets.*.operation'],
    change: { json: '{"a": 2}' },
  });
});

test('runners of all projects and of one, and their tokens', async () => {
  const { program, at } = await start();
  const send = { name: 'Lab', tags: ['dmz'], max_parallel_tasks: 2, webhook: '' };
  for (const place of ['', at]) {
    await expectRoundTrip(program, {
      at: `${place}/runners`,
      send: { ...send, active: true },
      change: { name: 'Lab 2', tags: ['dmz', 'gpu'], max_parallel_tasks: 0 },
      follows: ['slots'],
    });
    await expectRoundTrip(program, {
      at: `${place}/runners`,
      send: { ...send, active: false },
      change: { active: true },
      follows: ['draining'],
    });
    const made = await program.call('POST', `${place}/runners`, send);
    expect(made['token']).toMatch(/^sbr_/);
    const path = `${place}/runners/${String(made['id'])}`;
    const token = await program.call('POST', `${path}/registration-token`);
    expect(token).toMatchObject({ runner_id: made['id'], project_id: made['project_id'] });
    expect(token['registration_token']).not.toBe(made['token']);
    expect(await program.call('GET', path)).not.toHaveProperty('token');
  }
});
