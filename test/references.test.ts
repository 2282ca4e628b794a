// Also on PostgreSQL: it tells in another way which reference is broken.
// The server names what uses a thing, and does not delete the thing: each pair of the two.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { alertChannels } from '#shared/api/alert-channels.ts';
import { environments } from '#shared/api/environments.ts';
import { integrations } from '#shared/api/integrations.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { listReferences } from '../src/server/db/references.ts';
import { testApp, type TestApp } from './helpers/app.ts';
import { ask, type Body } from './helpers/resources.ts';
import { seedProject, type Seed } from './helpers/seed.ts';

const groups = {
  key: { ...keys, param: 'key_id' },
  repository: { ...repositories, param: 'repository_id' },
  inventory: { ...inventories, param: 'inventory_id' },
  environment: { ...environments, param: 'environment_id' },
  template: { ...templates, param: 'template_id' },
  integration: { ...integrations, param: 'integration_id' },
  // Nothing uses an alert channel, so it has no references.
  'alert channel': { ...alertChannels, refs: alertChannels.one, param: 'alert_channel_id' },
} satisfies Record<string, Record<'create' | 'refs' | 'remove', Endpoint> & { param: string }>;
type Noun = keyof typeof groups;

const bodies: Record<Noun, (seed: Seed, name: string) => Body> = {
  key: (_seed, name) => ({
    name,
    type: 'login_password',
    login_password: { login: 'bot', password: 'word' },
  }),
  repository: (seed, name) => ({
    name,
    git_url: 'https://example.com/code.git',
    git_branch: 'main',
    ssh_key_id: seed.keyId,
  }),
  inventory: (seed, name) => ({
    name,
    type: 'file',
    inventory: 'hosts',
    ssh_key_id: seed.keyId,
  }),
  environment: (_seed, name) => ({ name }),
  template: (seed, name) => ({
    name,
    playbook: 'play.yml',
    type: 'build',
    start_version: '1',
    repository_id: seed.repositoryId,
    inventory_id: seed.inventoryId,
    environment_id: seed.environmentId,
  }),
  integration: (_seed, name) => ({ name }),
  'alert channel': (_seed, name) => ({
    name,
    type: 'webhook',
    address: 'https://example.com/hook',
  }),
};

type Pair = [used: Noun, user: Noun, section: string, how: string, fields: (id: unknown) => Body];
const pairs: Pair[] = [
  ['key', 'repository', 'repositories', 'ssh_key_id', (id) => ({ ssh_key_id: id })],
  [
    'key',
    'repository',
    'repositories',
    'status_key_id',
    (id) => ({ status_host: 'github', status_key_id: id, git_url: 'https://example.com/a/b' }),
  ],
  ['key', 'inventory', 'inventories', 'ssh_key_id', (id) => ({ ssh_key_id: id })],
  ['key', 'inventory', 'inventories', 'become_key_id', (id) => ({ become_key_id: id })],
  ['key', 'template', 'templates', 'vault_key_id', (id) => ({ vault_key_id: id })],
  [
    'key',
    'template',
    'templates',
    'vaults',
    (id) => ({
      vaults: [
        { vault_key_id: id, name: 'one' },
        { vault_key_id: id, name: 'two' },
      ],
    }),
  ],
  ['repository', 'inventory', 'inventories', 'repository_id', (id) => ({ repository_id: id })],
  ['repository', 'template', 'templates', 'repository_id', (id) => ({ repository_id: id })],
  ['inventory', 'template', 'templates', 'inventory_id', (id) => ({ inventory_id: id })],
  ['environment', 'template', 'templates', 'environment_id', (id) => ({ environment_id: id })],
  [
    'template',
    'template',
    'templates',
    'build_template_id',
    (id) => ({ type: 'deploy', build_template_id: id }),
  ],
  ['template', 'integration', 'integrations', 'template_id', (id) => ({ template_id: id })],
  [
    'inventory',
    'integration',
    'integrations',
    'task_params',
    (id) => ({ task_params: { inventory_id: id } }),
  ],
  ['template', 'alert channel', 'alert_channels', 'template_ids', (id) => ({ template_ids: [id] })],
];

const nothing = {
  projects: [],
  templates: [],
  inventories: [],
  repositories: [],
  host_configs: [],
  execution_environments: [],
  schedules: [],
  integrations: [],
  alert_channels: [],
  workflows: [],
};

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ shared: true });
});
afterAll(() => app.close());

async function start() {
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const create = (noun: Noun, name: string, fields: Body = {}) =>
    ask(app.admin, groups[noun].create, {
      params,
      body: { ...bodies[noun](seed, name), ...fields },
    });
  const of = (noun: Noun, id: unknown) => ({ params: { ...params, [groups[noun].param]: id } });
  const refs = async (noun: Noun, id: unknown) =>
    (await ask(app.admin, groups[noun].refs, of(noun, id))).body;
  const remove = (noun: Noun, id: unknown) => ask(app.admin, groups[noun].remove, of(noun, id));
  return { seed, create, refs, remove };
}

test.each(pairs)('a %s that a %s uses is told and stays (%s, %s)', async (...pair) => {
  const [used, user, section, , fields] = pair;
  const { create, refs, remove } = await start();
  const { id } = (await create(used, 'Used')).body;
  expect(await refs(used, id)).toEqual(nothing);
  const made = await create(user, 'User', fields(id));
  expect(made.status).toBe(201);
  const named = [{ id: made.body['id'], name: 'User' }];
  expect(await refs(used, id)).toEqual({ ...nothing, [section]: named });

  const refused = await remove(used, id);
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({
    code: `${used}.in_use`,
    params: { names: `${user} "User"`, [section]: 'User' },
    inUse: true,
  });
  expect(refused.body.error).toContain(`${user} "User"`);
  expect((await remove(user, made.body['id'])).status).toBe(204);
  expect(await refs(used, id)).toEqual(nothing);
  expect((await remove(used, id)).status).toBe(204);
});

test('everything that uses a key is told at once, each once and by name', async () => {
  const { seed, create, refs, remove } = await start();
  const { id } = (await create('key', 'Shared')).body;
  await create('repository', 'R', { ssh_key_id: id });
  for (const name of ['I2', 'I1']) {
    await create('inventory', name, { ssh_key_id: id, become_key_id: id });
  }
  const vaults = [{ vault_key_id: id, name: 'dev' }];
  for (const name of ['T3', 'T2', 'T1']) {
    await create('template', name, { vault_key_id: id, vaults });
  }
  const told = await refs('key', id);
  const names = Object.fromEntries(
    Object.entries(told).map(([section, list]) => [
      section,
      (list as { name: string }[]).map(({ name }) => name),
    ]),
  );
  expect(names).toEqual({
    ...nothing,
    repositories: ['R'],
    inventories: ['I1', 'I2'],
    templates: ['T1', 'T2', 'T3'],
  });
  const refused = await remove('key', id);
  expect(refused.body.params).toEqual({
    templates: 'T1, T2, T3',
    inventories: 'I1, I2',
    repositories: 'R',
    names: 'template "T1", template "T2", template "T3", inventory "I1", inventory "I2", …',
  });
  // What uses other things is not listed here.
  expect(await refs('key', seed.keyId)).toMatchObject({
    repositories: [{ name: 'Code' }],
    inventories: [{ name: 'Hosts' }],
    templates: [],
  });
});

test('what is told is of this project only, and nothing is told of what is not there', async () => {
  const [{ seed, refs }, other] = [await start(), await seedProject(app.admin, null)];
  await other.template();
  for (const [noun, id] of [
    ['key', other.keyId],
    ['repository', other.repositoryId],
    ['inventory', other.inventoryId],
    ['environment', other.environmentId],
    ['template', 999_999],
    ['integration', 999_999],
  ] as const) {
    expect(await refs(noun, id)).toMatchObject({ code: `${noun}.not_found` });
    expect(await listReferences(app.ctx.db, tables[noun], seed.projectId, id)).toEqual(nothing);
  }
});

test('unfinished tasks keep their template, and are told', async () => {
  const { seed, remove } = await start();
  const { id } = await seed.template();
  const params = { project_id: seed.projectId };
  const launch = { params, body: { template_id: id } };
  const task = await app.admin.call(tasks.start, launch);
  const refused = await remove('template', id);
  expect([refused.status, refused.body.inUse]).toEqual([400, true]);
  expect(refused.body.params).toEqual({
    tasks: `#${task.id}`,
    names: `task #${task.id}`,
  });
  await app.admin.call(tasks.stop, { params: { ...params, task_id: task.id }, body: {} });
  expect((await remove('template', id)).status).toBe(204);
});

test('a report takes as many statements for many users as for none', async () => {
  const { seed, create } = await start();
  for (const name of ['1', '2', '3', '4', '5']) await create('inventory', name);
  let statements = 0;
  const counted = app.ctx.db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const told = await listReferences(counted, 'keys', seed.projectId, seed.keyId);
  expect(told.inventories).toHaveLength(6);
  expect(statements).toBe(6);
});

const tables = {
  key: 'keys',
  repository: 'repositories',
  inventory: 'inventories',
  environment: 'environments',
  template: 'templates',
  integration: 'integrations',
} as const;
