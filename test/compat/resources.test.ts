// Keys, repositories, inventories, environments and templates: whole objects go to and fro.

import { expect, test } from 'vitest';
import { oldClient, oldProject, oldTemplate, type Json } from '../helpers/old-client.ts';
import { sshKeygen } from '../helpers/private-keys.ts';

test('keys of every type are added, and sent back as they were read', async () => {
  const client = await oldClient();
  const { at, id: projectId } = await oldProject(client);
  const none = { login: '', password: '' };
  const noSsh = { login: '', passphrase: '', private_key: '' };
  const forms: Json[] = [
    { name: 'Empty', type: 'none' },
    {
      name: 'Ssh',
      type: 'ssh',
      ssh: { login: 'git', private_key: await sshKeygen() },
      login_password: {},
    },
    { name: 'Login', type: 'login_password', login_password: { login: '', password: 'x' } },
  ];
  for (const form of forms) {
    const body = { ssh: {}, login_password: {}, ...form, project_id: projectId };
    const made = await client.ask('POST', `${at}/keys`, body);
    expect([form['name'], made.status]).toEqual([form['name'], 201]);
    const path = `${at}/keys/${Number(made.json['id'])}`;
    const shown = {
      id: made.json['id'],
      name: form['name'],
      type: form['type'],
      project_id: projectId,
      string: '',
      login_password: none,
      ssh: noSsh,
      override_secret: false,
      empty: false,
    };
    expect(await client.call('GET', path)).toEqual(shown);
    expect((await client.ask('PUT', path, { ...shown, name: `${made.text.length}` })).status).toBe(
      204,
    );
    expect(await client.call('GET', `${path}/refs`)).toMatchObject({
      templates: [],
      inventories: [],
      repositories: [],
    });
    expect((await client.ask('DELETE', path)).status).toBe(204);
  }
});

test('what is in use is kept, with 400 and the word that clients look for', async () => {
  const client = await oldClient();
  const { at, key, repository, inventory } = await oldProject(client);
  const answer = await client.ask('DELETE', `${at}/keys/${key}`);
  expect([answer.status, answer.json['inUse']]).toEqual([400, true]);
  expect(await client.call('GET', `${at}/keys/${key}/refs`)).toMatchObject({
    templates: [],
    inventories: [{ id: inventory, name: 'Hosts' }],
    repositories: [{ id: repository, name: 'Code' }],
  });
});

test('a second key "None" is the one that the project has', async () => {
  const client = await oldClient();
  const { at, id: projectId } = await oldProject(client);
  const nones = async () =>
    (await client.list(`${at}/keys`)).filter(({ name }) => name === 'None').map(({ id }) => id);
  const [first] = await nones();
  const body = { name: 'None', type: 'none', project_id: projectId, ssh: {}, login_password: {} };
  const again = await client.ask('POST', `${at}/keys`, body);
  expect([again.status, again.json['id']]).toEqual([201, first]);
  expect(await nones()).toEqual([first]);
  const login = { ...body, type: 'login_password', login_password: { password: 'x' } };
  expect((await client.ask('POST', `${at}/keys`, login)).status).toBe(409);
  expect((await client.ask('POST', `${at}/keys`, { ...body, name: 'No key' })).status).toBe(409);
  // Without the first one, it is made.
  await client.call('DELETE', `${at}/keys/${Number(first)}`);
  const made = await client.ask('POST', `${at}/keys`, body);
  expect([made.status, await nones()]).toEqual([201, [made.json['id']]]);
});

test('a template that is sent as it was read, as a new one, gets a name of its own', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  const path = `${project.at}/templates`;
  const form = oldTemplate(project, { name: 'Deploy' });
  const { id } = await client.call('POST', path, form);
  const read = await client.call('GET', `${path}/${Number(id)}`);
  const copy = async (fields: Json = {}) => {
    const made = await client.ask('POST', path, { ...read, id: null, ...fields });
    return [made.status, made.json['name']];
  };
  expect(await copy()).toEqual([201, 'Deploy (copy)']);
  expect(await copy()).toEqual([201, 'Deploy (copy 2)']);
  expect(await copy({ name: 'Other' })).toEqual([201, 'Other']);
  const long = 'L'.repeat(100);
  expect(await copy({ name: long })).toEqual([201, long]);
  expect(await copy({ name: long })).toEqual([201, `${'L'.repeat(93)} (copy)`]);
  // What was not read from a template is no copy.
  expect((await client.ask('POST', path, form)).status).toBe(409);
});

test('a repository is sent back as it was read', async () => {
  const client = await oldClient();
  const { at, id: projectId, key, repository } = await oldProject(client);
  const form = { name: 'Web', git_url: 'https://example.com/x.git', git_branch: 'main' };
  const made = await client.ask('POST', `${at}/repositories`, {
    ...form,
    ssh_key_id: key,
    project_id: projectId,
  });
  const none = { status_host: '', status_key_id: null, with_submodules: true };
  const shown = { id: made.json['id'], project_id: projectId, ...form, ...none, ssh_key_id: key };
  expect([made.status, made.json]).toEqual([201, shown]);
  const path = `${at}/repositories/${Number(made.json['id'])}`;
  const body = { ...shown, git_branch: 'dev', ssh_key: { id: key, name: 'No key' } };
  expect((await client.ask('PUT', path, body)).status).toBe(204);
  const wrong = await client.ask('PUT', path, { ...body, id: repository });
  expect(wrong.status).toBe(400);
  const list = await client.list(`${at}/repositories?sort=name&order=desc`);
  expect(list.map(({ name, git_branch: branch }) => [name, branch])).toEqual([
    ['Web', 'dev'],
    ['Code', ''],
  ]);
});

test('inventories of every type are sent back as they were read', async () => {
  const client = await oldClient();
  const { at, id: projectId, key, repository } = await oldProject(client);
  const forms: Json[] = [
    { type: 'static', inventory: '[web]\nhost\n' },
    { type: 'static-yaml', inventory: 'all:\n  hosts:\n    host:\n' },
    { type: 'file', inventory: 'inventory/hosts', repository_id: repository },
    { type: 'terraform-workspace', inventory: 'staging' },
  ];
  for (const form of forms) {
    const name = `Inventory ${String(form['type'])}`;
    const body = { name, ssh_key_id: key, ...form, project_id: projectId, holder_id: null };
    const made = await client.ask('POST', `${at}/inventory`, body);
    expect([name, made.status]).toEqual([name, 201]);
    const shown = {
      id: made.json['id'],
      name,
      project_id: projectId,
      ssh_key_id: key,
      become_key_id: null,
      repository_id: null,
      holder_id: null,
      ...form,
    };
    const path = `${at}/inventory/${Number(made.json['id'])}`;
    expect(await client.call('GET', path)).toEqual(shown);
    expect((await client.ask('PUT', path, shown)).status).toBe(204);
    expect((await client.ask('DELETE', path)).status).toBe(204);
  }
});

test('the secrets of an environment are created, kept, replaced and deleted', async () => {
  const client = await oldClient();
  const { at, id: projectId } = await oldProject(client);
  const secret = { type: 'var', name: 'word', secret: 'x', operation: 'create' };
  const made = await client.ask('POST', `${at}/environment`, {
    name: 'Secrets',
    project_id: projectId,
    password: null,
    json: '',
    env: null,
    secrets: [secret, { ...secret, type: 'env', name: 'WORD' }],
  });
  expect(made.status).toBe(201);
  const path = `${at}/environment/${Number(made.json['id'])}`;
  const read = () => client.call('GET', path);
  const kept = (type: string, name: string) => ({
    id: expect.any(Number),
    type,
    name,
    secret: '',
    operation: '',
    empty: false,
  });
  const one = await read();
  const shown = {
    id: made.json['id'],
    name: 'Secrets',
    project_id: projectId,
    password: null,
    json: '{}',
    env: '{}',
    secrets: [kept('var', 'word'), kept('env', 'WORD')],
  };
  expect(one).toEqual(shown);
  expect((await client.ask('PUT', path, one)).status).toBe(204);
  expect(await read()).toEqual(one);
  const [word, other] = one['secrets'] as Json[];
  const changes = [
    { ...word, operation: 'delete' },
    { ...other, secret: 'y', operation: 'update' },
    { type: 'var', name: 'third', secret: 'z', operation: 'create' },
  ];
  expect((await client.ask('PUT', path, { ...one, secrets: changes })).status).toBe(204);
  const now = await read();
  expect(now['secrets']).toEqual([kept('env', 'WORD'), kept('var', 'third')]);
  const listed = (await client.list(`${at}/environment`)).find(({ id }) => id === now['id']);
  expect(listed).toEqual({ ...now, secrets: null });
});

test('a template with all its parts is sent back as it was read, and copied', async () => {
  const client = await oldClient();
  const project = await oldProject(client);
  const login = { name: 'Vault', type: 'login_password', login_password: { password: 'x' } };
  const vaultKey = await client.call('POST', `${project.at}/keys`, login);
  const survey = { name: 'n', title: 'N', description: '', type: 'int', required: true };
  const form = oldTemplate(project, {
    id: null,
    type: 'build',
    start_version: '1.0',
    description: null,
    arguments: '["-v"]',
    survey_vars: [survey, { ...survey, name: 's', type: '', required: null, values: null }],
    vaults: [{ id: null, vault_key_id: vaultKey['id'], name: null, type: 'password' }],
    allow_override_args_in_task: null,
    suppress_success_alerts: true,
    autorun: null,
    view_id: null,
    build_template_id: null,
    git_branch: '',
  });
  const made = await client.ask('POST', `${project.at}/templates`, form);
  expect(made.status).toBe(201);
  const path = `${project.at}/templates/${Number(made.json['id'])}`;
  const one = await client.call('GET', path);
  expect(one).toMatchObject({
    ...form,
    id: made.json['id'],
    description: '',
    survey_vars: [survey, { name: 's', type: '', required: false }],
    vaults: [
      {
        id: expect.any(Number),
        project_id: project.id,
        template_id: made.json['id'],
        vault_key_id: vaultKey['id'],
        name: null,
      },
    ],
    allow_override_args_in_task: false,
    autorun: false,
    git_branch: '',
    last_task: null,
    tasks: 0,
  });
  expect((await client.ask('PUT', path, one)).status).toBe(204);
  expect(await client.call('GET', path)).toEqual({
    ...one,
    vaults: [{ ...(one['vaults'] as Json[])[0], id: expect.any(Number) }],
  });
  const { id: _id, ...rest } = one;
  const copy = await client.ask('POST', `${project.at}/templates`, { ...rest, name: 'Copy' });
  expect(copy.status).toBe(201);
  const list = await client.list(`${project.at}/templates?sort=name&order=asc`);
  expect(list.map(({ name }) => name)).toEqual(['Copy', 'Run']);
  expect((await client.ask('DELETE', path)).status).toBe(204);
});

test('a template of Terraform needs no inventory: it has the default workspace', async () => {
  const client = await oldClient();
  const project = await oldProject(client, { 'infra/main.tf': '' });
  const form = oldTemplate(project, { app: 'terraform', playbook: 'infra', inventory_id: null });
  const made = await client.ask('POST', `${project.at}/templates`, form);
  expect([made.status, made.json['inventory_id']]).toEqual([201, null]);
  const path = `${project.at}/templates/${Number(made.json['id'])}`;
  const workspace = { name: 'Staging', type: 'terraform-workspace', inventory: 'staging' };
  const inventory = await client.call('POST', `${project.at}/inventory`, {
    ...workspace,
    ssh_key_id: project.key,
    project_id: project.id,
  });
  const change = { ...made.json, inventory_id: inventory['id'] };
  expect((await client.ask('PUT', path, change)).status).toBe(204);
  expect((await client.call('GET', path))['inventory_id']).toBe(inventory['id']);
});
