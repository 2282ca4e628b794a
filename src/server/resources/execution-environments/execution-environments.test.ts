import { expect, test } from 'vitest';
import {
  executionEnvironments,
  installationEnvironments,
  newExecutionEnvironment,
  type ExecutionKind,
} from '#shared/api/execution-environments.ts';
import { keys } from '#shared/api/keys.ts';
import { projects } from '#shared/api/projects.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

const image = { kind: 'container', image: 'registry.example.com/tools:1.4' } as const;
const pod = { ...image, kind: 'pod' } as const;
const tools = { kind: 'tools', packages: ['ansible-core==2.19.*', 'netaddr'] } as const;

/** A project with a key of two types. */
async function start(app: TestApp) {
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const login_password = { login: 'robot', password: 'canary-password' };
  const body = { name: 'Registry', type: 'login_password' as const, login_password };
  const login = await app.admin.call(keys.create, { params, body });
  const create = (given: object) =>
    app.admin.ask(executionEnvironments.create, { params, body: given as never });
  const share = (given: object) =>
    app.admin.ask(installationEnvironments.create, { body: given as never });
  return {
    seed,
    params,
    projectId: seed.projectId,
    none: seed.keyId,
    login: login.id,
    create,
    share,
  };
}

const unavailableOf: Partial<Record<ExecutionKind, string>> = {
  container: 'no_container_engine',
  pod: 'no_kubernetes_runner',
};

test('an execution environment is read as it was sent, and changes with its revision', async () => {
  const app = await testApp();
  const { params, login, projectId, create } = await start(app);
  const sent = [
    { name: 'Server', kind: 'server' },
    { name: 'Tools', ...tools, python: '3.12', index_url: 'https://pypi.example.com/simple' },
    { name: 'Folder', kind: 'tools', folder: '/opt/ansible' },
    {
      name: 'Image',
      ...image,
      pull: 'always',
      registry_key_id: login,
      network: 'host',
      mounts: [{ source: '/etc/pki', target: '/etc/pki', read_only: false }],
      user: '1000:1000',
      memory_limit_mib: 512,
    },
    {
      name: 'Pod',
      ...pod,
      memory_limit_mib: 512,
      memory_request_mib: 256,
      cpu_request_percent: 50,
      node_labels: ['disk=ssd', 'example.com/zone='],
      tolerations: ['gpu=true:NoSchedule', 'spot'],
      service_account: 'deployer',
      pod_labels: ['team=web'],
      pull_secrets: ['registry'],
    },
  ];
  for (const body of sent) {
    const made = await create(body);
    expect([body.name, made.status]).toEqual([body.name, 201]);
    const whole = newExecutionEnvironment.parse(body);
    const unavailable = unavailableOf[whole.kind] ?? null;
    const shown = { id: made.body.id, project_id: projectId, ...whole, unavailable };
    expect(made.body).toEqual(shown);
    const one = { params: { ...params, execution_environment_id: made.body.id } };
    expect(await app.admin.call(executionEnvironments.one, one)).toEqual(shown);
    await app.admin.call(executionEnvironments.update, {
      ...one,
      body: { ...whole, user: '1001:1001' },
    });
    // A body without the fields that restrict a container leaves them as they are.
    const { user: _user, ...rest } = whole;
    await app.admin.call(executionEnvironments.update, { ...one, body: rest });
    expect(await app.admin.call(executionEnvironments.one, one)).toEqual({
      ...shown,
      user: '1001:1001',
    });
  }
  const query = { sort: 'name', order: 'desc', q: 'TOOLS' } as const;
  const found = await app.admin.call(executionEnvironments.list, { params, query });
  expect(found.map(({ name }) => name)).toEqual(['Tools', 'Pod', 'Image']);
  const events = await app.ctx.db
    .selectFrom('events')
    .select(['code', 'project_id'])
    .where('object_type', '=', 'execution_environment')
    .orderBy('id')
    .limit(2)
    .execute();
  expect(events).toEqual([
    { code: 'execution_environment.created', project_id: projectId },
    { code: 'execution_environment.changed', project_id: projectId },
  ]);
});

test.each([
  [{ kind: 'tools' }, 'packages', 'execution_environment.tools_required'],
  [{ ...tools, folder: '/opt/a' }, 'packages', 'execution_environment.folder_or_packages'],
  [
    { kind: 'tools', packages: ['--index-url=x'] },
    'packages.0',
    'execution_environment.requirement',
  ],
  [{ kind: 'tools', folder: 'opt' }, 'folder', 'execution_environment.absolute_path'],
  [{ kind: 'container' }, 'image', 'execution_environment.image_required'],
  [{ kind: 'container', image: '-v /:/x' }, 'image', 'execution_environment.image'],
  [{ ...image, user: 'a b' }, 'user', 'execution_environment.user'],
  [{ ...image, network: '--privileged' }, 'network', 'execution_environment.network'],
  [{ kind: 'pod' }, 'image', 'execution_environment.image_required'],
  [{ ...pod, user: '0:0' }, 'user', 'execution_environment.pod_root'],
  [
    { ...pod, memory_limit_mib: 100, memory_request_mib: 101 },
    'memory_request_mib',
    'execution_environment.request_over_limit',
  ],
  [
    { ...pod, cpu_limit_percent: 50, cpu_request_percent: 51 },
    'cpu_request_percent',
    'execution_environment.request_over_limit',
  ],
  [{ ...pod, node_labels: ['ssd'] }, 'node_labels.0', 'execution_environment.label'],
  [{ ...pod, tolerations: ['a:Never'] }, 'tolerations.0', 'execution_environment.toleration'],
  [{ ...pod, service_account: 'A b' }, 'service_account', 'execution_environment.object_name'],
  [
    { ...pod, pod_labels: ['app.kubernetes.io/name=x'] },
    'pod_labels.0',
    'execution_environment.reserved_label',
  ],
  [{ ...pod, pull_secrets: ['../x'] }, 'pull_secrets.0', 'execution_environment.object_name'],
])('refuses %j with the field %s', async (body, path, code) => {
  const app = await testApp();
  const { create } = await start(app);
  const answer = await create({ name: 'Wrong', ...body });
  expect([answer.status, answer.body]).toMatchObject([400, { fields: [{ path, code }] }]);
});

test('its key is a login of the same project; one of the installation has none', async () => {
  const app = await testApp();
  const { none, login, create, share } = await start(app);
  const other = await start(app);
  const codes = async (answer: ReturnType<typeof create>) =>
    (await answer).body as unknown as { fields: { code: string }[] };
  const withKey = (registry_key_id: number) => ({ name: 'Image', ...image, registry_key_id });
  expect(await codes(create(withKey(none)))).toMatchObject({
    fields: [{ path: 'registry_key_id', code: 'execution_environment.key_login_password' }],
  });
  expect(await codes(create(withKey(other.login)))).toMatchObject({
    fields: [{ path: 'registry_key_id', code: 'field.reference' }],
  });
  expect(await codes(share(withKey(login)))).toMatchObject({
    fields: [{ path: 'registry_key_id', code: 'execution_environment.key_of_installation' }],
  });
  // The database refuses it too.
  const made = (await create(withKey(login))).body;
  const insertion = app.ctx.db
    .updateTable('execution_environments')
    .set({ project_id: null })
    .where('id', '=', made.id)
    .execute();
  await expect(insertion).rejects.toThrow(/constraint/i);
});

test('those of the installation can be used but not changed in every project', async () => {
  const app = await testApp();
  const { params, create, share } = await start(app);
  const shared = (await share({ name: 'Shared', ...tools })).body;
  expect(shared.project_id).toBeNull();
  expect((await share({ name: 'Shared', ...image })).status).toBe(409);
  // Names are unique among those of one owner.
  expect((await create({ name: 'Shared', ...image })).status).toBe(201);
  expect((await create({ name: 'Shared', ...image })).status).toBe(409);
  const list = await app.admin.call(executionEnvironments.list, { params });
  expect(new Set(list.map(({ project_id }) => project_id))).toEqual(
    new Set([params.project_id, null]),
  );
  const one = { params: { ...params, execution_environment_id: shared.id } };
  expect((await app.admin.call(executionEnvironments.one, one)).name).toBe('Shared');
  const body = { name: 'Other', ...image };
  const refused = [
    await app.admin.ask(executionEnvironments.update, { ...one, body }),
    await app.admin.ask(executionEnvironments.remove, one),
  ];
  expect(refused.map((answer) => answer.body)).toMatchObject([
    { code: 'execution_environment.of_installation' },
    { code: 'execution_environment.of_installation' },
  ]);
  // A project's own is none of the installation.
  const own = (await create({ name: 'Own', ...image })).body;
  const foreign = { params: { installation_environment_id: own.id } };
  expect((await app.admin.ask(installationEnvironments.one, foreign)).status).toBe(404);
  expect((await app.admin.ask(installationEnvironments.remove, foreign)).status).toBe(404);
  const all = await app.admin.call(installationEnvironments.list, {});
  expect(all.map(({ id }) => id)).toEqual([shared.id]);
});

test('names what uses it instead of being deleted', async () => {
  const app = await testApp();
  const { seed, params, create, share } = await start(app);
  const own = (await create({ name: 'Own', ...image })).body;
  const shared = (await share({ name: 'Shared', ...image })).body;
  await seed.template({ name: 'With own', execution_environment_id: own.id });
  await seed.template({ name: 'With shared', execution_environment_id: shared.id });
  const project = await app.admin.call(projects.one, { params });
  const change = { ...project, execution_environment_id: shared.id };
  await app.admin.call(projects.update, { params, body: change });
  const ofOwn = { params: { ...params, execution_environment_id: own.id } };
  const ofShared = { params: { installation_environment_id: shared.id } };
  const removals = [
    await app.admin.ask(executionEnvironments.remove, ofOwn),
    await app.admin.ask(installationEnvironments.remove, ofShared),
  ];
  expect(removals.map(({ body }) => body)).toMatchObject([
    { code: 'execution_environment.in_use', params: { templates: 'With own' } },
    {
      code: 'execution_environment.in_use',
      params: { projects: project.name, templates: `${project.name}: With shared` },
    },
  ]);
  const there = { params: { ...params, execution_environment_id: shared.id } };
  const refs = await app.admin.call(executionEnvironments.refs, there);
  expect(refs.templates.map(({ name }) => name)).toEqual(['With shared']);
  expect(refs.projects.map(({ name }) => name)).toEqual([project.name]);
  // The project is deleted with its own, and although its default refers to one.
  await app.admin.call(projects.update, {
    params,
    body: { ...project, execution_environment_id: own.id },
  });
  await app.admin.call(projects.remove, { params });
  await app.admin.call(installationEnvironments.remove, ofShared);
  expect(await app.ctx.db.selectFrom('execution_environments').selectAll().execute()).toEqual([]);
});

test('a template that is saved while its environment is deleted never refers to a missing one', async () => {
  const app = await testApp();
  const { seed, params, share } = await start(app);
  for (let round = 0; round < 10; round += 1) {
    const { id } = (await share({ name: `Shared ${round}`, ...image })).body;
    const body = { name: `Template ${round}`, execution_environment_id: id };
    const base = await seed.template({ name: `Base ${round}` });
    const [saved, removed] = await Promise.all([
      app.admin.ask(templates.create, { params, body: { ...base, ...body } as never }),
      app.admin.ask(installationEnvironments.remove, {
        params: { installation_environment_id: id },
      }),
    ]);
    // One of both comes first.
    expect([
      [201, 400],
      [400, 204],
      [409, 204],
    ]).toContainEqual([saved.status, removed.status]);
  }
  const rows = await app.ctx.db
    .selectFrom('templates')
    .leftJoin('execution_environments as used', 'used.id', 'templates.execution_environment_id')
    .where('execution_environment_id', 'is not', null)
    .where('used.id', 'is', null)
    .select('templates.id')
    .execute();
  expect(rows).toEqual([]);
});

test('members read them, those who manage resources change them', async () => {
  const app = await testApp();
  const { params, projectId, create } = await start(app);
  const { id } = (await create({ name: 'Own', ...image })).body;
  const guest = await app.member(projectId, 'guest');
  const one = { params: { ...params, execution_environment_id: id } };
  expect((await guest.call(executionEnvironments.one, one)).name).toBe('Own');
  expect((await guest.ask(executionEnvironments.remove, one)).status).toBe(403);
  expect((await guest.ask(installationEnvironments.list, {})).status).toBe(403);
});
