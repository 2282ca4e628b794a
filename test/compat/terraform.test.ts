// The requests of providers of Terraform. They are written in Go, which leaves out whatever is false,
// zero or empty, and compare what they read with what they have planned, field by field.

import { afterAll, expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { bearer, programOf, tokenOf, type Json, type Program } from '../helpers/replay.ts';
import { seedProject } from '../helpers/seed.ts';

/** One server for all tests here. */
let shared: ReturnType<typeof start> | undefined;
const server = () => (shared ??= start());
afterAll(async () => (await shared)?.app.close());

async function start() {
  const app = await testApp({ shared: true });
  const address = await app.listen();
  const program = programOf(address, 'go', bearer(await tokenOf(address)));
  return { app, program };
}

async function withProject() {
  const { app, program } = await server();
  const seed = await seedProject(app.admin, null);
  return { app, program, seed, at: `/project/${seed.projectId}` };
}

/** Creates, reads, changes and reads again, as the provider does; answers both readings. */
async function apply(program: Program, at: string, plan: Json, next: Json): Promise<[Json, Json]> {
  const { id } = await program.call('POST', at, plan);
  const path = `${at}/${Number(id)}`;
  const first = await program.call('GET', path);
  expect((await program.ask('PUT', path, { ...next, id })).status).toBe(204);
  return [first, await program.call('GET', path)];
}

async function planned() {
  const { program, seed, at } = await withProject();
  const plain = {
    project_id: seed.projectId,
    inventory_id: seed.inventoryId,
    repository_id: seed.repositoryId,
    environment_id: seed.environmentId,
    environment_ids: [seed.environmentId],
    app: 'ansible',
    name: 'Site',
    playbook: 'site.yml',
    arguments: '[]',
    survey_vars: [],
    vaults: [],
  };
  return { program, seed, at: `${at}/templates`, plain };
}

test('a template without options of tasks is read without them', async () => {
  const { program, at, plain } = await planned();
  const next = { ...plain, arguments: '["-v"]', description: 'All of it' };
  const [first, second] = await apply(program, at, plain, next);
  expect(first).toMatchObject(plain);
  expect(second).toMatchObject(next);
  for (const one of [first, second]) expect(one).not.toHaveProperty('task_params');
});

test('a template limits its tasks by `params` inside `task_params`', async () => {
  const { program, at, plain } = await planned();
  const params = (limit: string[] | null) => ({ limit, skip_tags: ['slow'], tags: null });
  const [first, second] = await apply(
    program,
    at,
    { ...plain, task_params: { params: params(['web1', 'web2']) } },
    { ...plain, task_params: { params: params(['web3']) } },
  );
  const inner = (one: Json) => (one['task_params'] as Json)['params'];
  expect(inner(first)).toMatchObject({ limit: ['web1', 'web2'], tags: [], skip_tags: ['slow'] });
  expect(first).toMatchObject({ limit: 'web1,web2', tags: '', skip_tags: 'slow' });
  expect(inner(second)).toMatchObject({ limit: ['web3'], skip_tags: ['slow'] });
  // What limits a run stays when it is left out, and is cleared by an empty value.
  const path = `${at}/${Number(second['id'])}`;
  await program.call('PUT', path, { ...plain, id: second['id'] });
  expect(await program.call('GET', path)).toMatchObject({ limit: 'web3', skip_tags: 'slow' });
  const none = { params: { limit: [], skip_tags: [] } };
  await program.call('PUT', path, { ...plain, id: second['id'], task_params: none });
  expect(await program.call('GET', path)).toMatchObject({ limit: '', skip_tags: '' });
});

test('a template that is changed in the innermost form is refused as long as the others differ', async () => {
  const { program, at, plain } = await planned();
  const made = await program.call('POST', at, { ...plain, task_params: { limit: ['web1'] } });
  const path = `${at}/${Number(made['id'])}`;
  const before = await program.call('GET', path);
  const outer = before['task_params'] as Json;
  const inner = { ...(outer['params'] as Json), limit: ['web2'] };
  const unlike = await program.ask('PUT', path, {
    ...before,
    task_params: { ...outer, params: inner },
  });
  expect([unlike.status, (unlike.json['fields'] as Json[])[0]?.['code']]).toEqual([
    400,
    'field.contradiction',
  ]);
  const { limit: _limit, ...others } = before;
  await program.call('PUT', path, { ...others, task_params: { params: inner } });
  const after = await program.call('GET', path);
  expect(after).toMatchObject({ limit: 'web2', task_params: { limit: ['web2'], params: inner } });
  const both = { ...after, limit: 'a', task_params: { params: { limit: ['b'] } } };
  const refused = await program.ask('PUT', path, both);
  expect([refused.status, refused.json['fields']]).toMatchObject([
    400,
    [{ path: 'task_params.params.limit', code: 'field.contradiction' }],
  ]);
});

test('a template takes arguments and branch from there, and refuses what it cannot keep', async () => {
  const { program, at, plain } = await planned();
  const task_params = {
    arguments: '["-v"]',
    git_branch: 'release',
    message: '',
    environment: '{}',
  };
  const made = await program.call('POST', at, { ...plain, task_params });
  expect(made).toMatchObject({ arguments: '["-v"]', git_branch: 'release' });
  const refused: [Json, string][] = [
    [{ message: 'Nightly' }, 'message'],
    [{ environment: '{"a": 1}' }, 'environment'],
    [{ params: { dry_run: true } }, 'params.dry_run'],
    [{ params: { diff: true } }, 'params.diff'],
    [{ params: { destroy: true } }, 'params.destroy'],
    [{ params: { debug_level: 2 } }, 'params.debug_level'],
    [{ params: { hosts: ['web1'] } }, 'params.hosts'],
  ];
  for (const [one, path] of refused) {
    const { status, json } = await program.ask('POST', at, {
      ...plain,
      name: path,
      task_params: one,
    });
    expect([status, json['fields']]).toMatchObject([400, [{ path: `task_params.${path}` }]]);
  }
});

test('what a schedule or an integration gives its tasks is read as it was planned', async () => {
  const { program, seed, at } = await withProject();
  const { id: template_id } = await seed.template({ allow_override_limit_in_task: true });
  const params = { limit: ['web1'], skip_tags: null, tags: null };
  const plan = { project_id: seed.projectId, template_id, name: 'Push', task_params: { params } };
  for (const [path, rest] of [
    ['/integrations', { auth_method: 'none', searchable: true }],
    ['/schedules', { cron_format: '0 2 * * *', active: true }],
  ] as const) {
    const [first, second] = await apply(
      program,
      at + path,
      { ...plan, ...rest },
      { ...plan, ...rest, name: 'Pull' },
    );
    for (const one of [first, second]) {
      const read = one['task_params'] as Json;
      expect([path, read['environment'], read['message'], read['git_branch']]).toEqual([
        path,
        '',
        '',
        null,
      ]);
      expect(read['params']).toMatchObject({ limit: ['web1'], tags: [], dry_run: false });
    }
  }
});

test('a schedule whose `active` is left out is switched off', async () => {
  const { program, seed, at } = await withProject();
  const { id: template_id } = await seed.template();
  const off = {
    project_id: seed.projectId,
    template_id,
    name: 'Nightly',
    cron_format: '0 2 * * *',
  };
  const [on, then] = await apply(program, `${at}/schedules`, { ...off, active: true }, off);
  expect([on['active'], then['active'], then['next_due']]).toEqual([true, false, null]);
});

test('the check for new commits stays on: the form of a template does not know `active`', async () => {
  const { program, seed, at } = await withProject();
  const { id: template_id } = await seed.template();
  const form = {
    project_id: seed.projectId,
    template_id,
    cron_format: '*/10 * * * *',
    repository_id: seed.repositoryId,
  };
  const hourly = { ...form, cron_format: '@hourly' };
  const [, then] = await apply(program, `${at}/schedules`, { ...form, active: true }, hourly);
  expect(then).toMatchObject({ active: true, cron_format: '@hourly' });
});

test('a one-time schedule needs no cron text, and a zero time is none', async () => {
  const { program, seed, at } = await withProject();
  const { id: template_id } = await seed.template();
  const plan = { project_id: seed.projectId, template_id, name: 'Once' };
  const once = { type: 'run_at', run_at: '2127-06-25T02:00:00Z', delete_after_run: true };
  const made = await program.call('POST', `${at}/schedules`, { ...plan, ...once });
  expect(made).toMatchObject({ ...once, cron_format: '', active: false });
  const zero = { cron_format: '0 2 * * *', run_at: '0001-01-01T00:00:00Z', active: true };
  const daily = await program.call('POST', `${at}/schedules`, { ...plan, name: 'Daily', ...zero });
  expect(daily).toMatchObject({ type: '', run_at: null, active: true });
  const none = { ...once, run_at: zero.run_at };
  const refused = await program.ask('POST', `${at}/schedules`, { ...plan, ...none });
  expect(refused.json['fields']).toMatchObject([{ path: 'run_at', code: 'field.required' }]);
});

test('a user loses the right of an administrator and alerts when they are left out', async () => {
  const { app, program } = await server();
  const plan = { username: 'ada', name: 'Ada', email: 'ada@example.com' };
  const flags = { admin: true, alert: true };
  const secret = { password: 'a long test password' };
  const [first, second] = await apply(program, '/users', { ...plan, ...flags, ...secret }, plan);
  expect([first, second]).toMatchObject([flags, { admin: false, alert: false }]);
  const path = `/users/${Number(second['id'])}`;
  const other = { password: 'another long password' };
  expect((await program.ask('POST', `${path}/password`, other)).status).toBe(204);
  expect((await program.ask('DELETE', path)).status).toBe(204);
  // Nobody gives up their own right by leaving it out.
  const own = `/users/${app.admin.userId}`;
  const { username, name, email } = await program.call('GET', own);
  expect((await program.ask('PUT', own, { username, name, email })).status).toBe(204);
  expect(await program.call('GET', own)).toMatchObject({ admin: true });
});

test('a secret of an environment is deleted by its id, without its name', async () => {
  const { program, seed, at } = await withProject();
  const plan = { project_id: seed.projectId, name: 'Described', json: '{"a":"b"}', env: '{}' };
  const secret = { type: 'var', name: 'word', secret: 'x', operation: 'create' };
  const secrets = [secret, { ...secret, type: 'env', name: 'WORD' }];
  const made = await program.call('POST', `${at}/environment`, { ...plan, secrets });
  const path = `${at}/environment/${Number(made['id'])}`;
  const [word, other] = (await program.call('GET', path))['secrets'] as Json[];
  const changes = [
    { id: other?.['id'], name: 'OTHER', type: 'env', secret: 'y', operation: 'update' },
    { id: word?.['id'], type: 'var', operation: 'delete' },
  ];
  await program.call('PUT', path, { ...plan, id: made['id'], secrets: changes });
  expect((await program.call('GET', path))['secrets']).toMatchObject([
    { id: other?.['id'], name: 'OTHER', type: 'env' },
  ]);
});

test('a key is renamed without its secret, and gets another type with one', async () => {
  const { program, seed, at } = await withProject();
  const plan = { project_id: seed.projectId, name: 'Login', type: 'login_password' };
  const login_password = { login: 'a', password: 'b' };
  const made = await program.call('POST', `${at}/keys`, { ...plan, login_password });
  const path = `${at}/keys/${Number(made['id'])}`;
  const renamed = { ...plan, id: made['id'], name: 'Renamed', login_password: {} };
  expect((await program.ask('PUT', path, renamed)).status).toBe(204);
  const none = { ...renamed, type: 'none', override_secret: true };
  expect((await program.ask('PUT', path, none)).status).toBe(204);
  // The provider finds a key in the list.
  const list = await program.list(`${at}/keys`);
  expect(list.find(({ id }) => id === made['id'])).toMatchObject({ name: 'Renamed', type: 'none' });
});

test('a member is found in the list, and their role changes', async () => {
  const { app, program, at } = await withProject();
  const { userId } = await app.user('zoe');
  expect(
    (await program.ask('POST', `${at}/users`, { user_id: userId, role: 'guest' })).status,
  ).toBe(204);
  const find = async () => (await program.list(`${at}/users`)).find(({ id }) => id === userId);
  expect(await find()).toMatchObject({ username: 'zoe', role: 'guest' });
  expect((await program.ask('PUT', `${at}/users/${userId}`, { role: 'manager' })).status).toBe(204);
  expect(await find()).toMatchObject({ role: 'manager' });
});

test('runners of the installation and of a project are made by a token, inactive and switched on', async () => {
  const { program, seed, at } = await withProject();
  for (const place of ['', at]) {
    const plan = { name: 'Lab', tags: ['dmz'], max_parallel_tasks: 2, project_id: seed.projectId };
    const { project_id: _id, ...everywhere } = plan;
    const body = place ? plan : everywhere;
    const made = await program.call('POST', `${place}/runners`, { ...body, active: false });
    expect(made).toMatchObject({ active: false, registered: false, touched: null, webhook: '' });
    const path = `${place}/runners/${Number(made['id'])}`;
    expect((await program.ask('PUT', path, { ...body, name: 'Lab 2' })).status).toBe(204);
    expect(await program.call('GET', path)).toMatchObject({ name: 'Lab 2', active: false });
    expect((await program.ask('POST', `${path}/active`, { active: true })).status).toBe(204);
    expect(await program.call('GET', path)).toMatchObject({ active: true, tags: ['dmz'] });
    const token = await program.call('POST', `${path}/registration-token`);
    expect(token).toMatchObject({
      runner_id: made['id'],
      project_id: place ? seed.projectId : null,
    });
    const tags = await program.list(`${place}/runner_tags`);
    expect(tags).toContainEqual({ tag: 'dmz', number_of_runners: expect.any(Number) as number });
    expect((await program.ask('DELETE', path)).status).toBe(204);
    expect((await program.ask('GET', path)).status).toBe(404);
  }
});
