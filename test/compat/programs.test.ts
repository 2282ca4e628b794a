// Slow: whole conversations of programs of other makers, with tasks.
// What programs of other makers do from their first request to the last: a command line, tools of
// agents, a collection of Ansible, a script with curl. Each request is sent as their libraries send it.

import { afterAll, describe, expect, test } from 'vitest';
import { password, testApp } from '../helpers/app.ts';
import { open } from '../helpers/later-forms.ts';
import { bearer, cookieOf, pollTask, programOf, tokenOf, type Json } from '../helpers/replay.ts';
import { gitRepository, seedProject } from '../helpers/seed.ts';

const files = { 'play.yml': 'for a; do echo "$a"; done\n', 'slow.yml': 'sleep 600\n' };

/** One server for all tests here. */
let shared: ReturnType<typeof start> | undefined;
const server = () => (shared ??= start());
afterAll(async () => (await shared)?.app.close());

async function start() {
  const app = await testApp({ runner: true, shared: true });
  const address = await app.listen();
  return { app, address, token: await tokenOf(address) };
}

async function withTemplate() {
  const { app, address, token } = await server();
  const seed = await seedProject(app.admin, files);
  const { id } = await seed.template(open);
  return { address, token, id, seed, at: `/project/${seed.projectId}` };
}

test('a command line signs in, makes a token, launches, waits, reads and signs out', async () => {
  const { address, id, seed, at } = await withTemplate();
  const stranger = programOf(address, 'go');
  const wrong = { auth: 'root', password: 'another password' };
  expect((await stranger.ask('POST', '/auth/login', wrong)).status).toBe(401);
  const signedIn = await stranger.ask('POST', '/auth/login', { auth: 'root', password });
  expect([signedIn.status, signedIn.text]).toEqual([204, '']);
  // Go sends the content type and no body.
  const jar = programOf(address, 'go', {
    ...cookieOf(signedIn),
    'content-type': 'application/json',
  });
  const made = await jar.ask('POST', '/user/tokens', '');
  expect([made.status, typeof made.json['id']]).toEqual([201, 'string']);
  const program = programOf(address, 'go', bearer(made.json['id']));
  expect((await program.call('GET', '/info'))['version']).toMatch(/^\d/);
  const projects = await program.list('/projects');
  expect(projects.map((one) => one['id'])).toContain(seed.projectId);
  const [template] = await program.list(`${at}/templates?sort=name&order=asc`);
  expect(template).toMatchObject({ id, project_id: seed.projectId });
  const body = {
    template_id: id,
    message: 'Release',
    dry_run: true,
    diff: true,
    limit: 'localhost',
  };
  const task = await program.call('POST', `${at}/tasks`, body);
  const path = `${at}/tasks/${Number(task['id'])}`;
  const ended = await pollTask(program, path, 'success');
  expect(ended).toMatchObject({
    message: 'Release',
    dry_run: true,
    diff: true,
    limit: 'localhost',
  });
  const output = await program.list(`${path}/output`);
  expect(output.map((line) => line['output'])).toContain('--limit=localhost');
  expect((await program.ask('GET', `${path}/raw_output`)).text).toContain('--check');
  // The token revokes itself.
  const own = `/user/tokens/${String(made.json['id'])}`;
  expect((await program.ask('DELETE', own)).status).toBe(204);
  expect((await program.ask('GET', '/projects')).status).toBe(401);
});

test.each(['requests', 'nodeFetch'] as const)(
  'a tool of an agent that sends a content type with every request: %s',
  async (library) => {
    const { address, token, id, at } = await withTemplate();
    const program = programOf(address, library, bearer(token));
    expect((await program.list('/projects')).length).toBeGreaterThan(0);
    expect(await program.call('GET', `${at}/templates/${id}`)).toMatchObject({ id });
    const params = {
      dry_run: true,
      diff: true,
      debug: true,
      debug_level: 2,
      limit: ['localhost'],
      tags: ['pkg'],
      skip_tags: [],
    };
    const task = await program.call('POST', `${at}/tasks`, { template_id: id, params });
    expect(task['params']).toEqual({ ...params, auto_approve: false });
    const path = `${at}/tasks/${Number(task['id'])}`;
    const ended = await pollTask(program, path, 'success');
    const [command = ''] = ended['commands'] as string[];
    for (const part of ['--limit=localhost', '--tags=pkg', '--check', '--diff', ' -vv ']) {
      expect(command).toContain(part);
    }
    const last = await program.list(`${at}/tasks/last`);
    expect(last).toMatchObject([{ id: task['id'], status: 'success' }]);
    const again = await program.call('POST', `${path}/restart`);
    expect(again['params']).toEqual(task['params']);
    const other = `${at}/tasks/${Number(again['id'])}`;
    await pollTask(program, other, 'success');
    // There is nothing to stop any more, with a body and without one.
    for (const body of [undefined, { force: false }]) {
      expect((await program.ask('POST', `${other}/stop`, body)).status).toBe(204);
    }
    expect((await program.ask('DELETE', other)).status).toBe(204);
    expect((await program.ask('GET', other)).status).toBe(404);
  },
);

test('a tool of an agent changes a part of an environment', async () => {
  const { address, token, at, seed } = await withTemplate();
  const program = programOf(address, 'requests', bearer(token));
  const json = JSON.stringify({ region: 'north' });
  const made = await program.call('POST', `${at}/environment`, {
    name: 'Region',
    project_id: seed.projectId,
    json,
  });
  const path = `${at}/environment/${Number(made['id'])}`;
  const part = { project_id: seed.projectId, id: made['id'], json: '{"region": "south"}' };
  expect((await program.ask('PUT', path, part)).status).toBe(204);
  expect(await program.call('GET', path)).toMatchObject({ name: 'Region', json: part.json });
  const form = { name: 'Files', type: 'file', project_id: seed.projectId, inventory: 'hosts.ini' };
  const inventory = await program.call('POST', `${at}/inventory`, form);
  expect(inventory).toMatchObject({ ...form, ssh_key_id: null });
});

describe('a collection of Ansible', () => {
  /** It sends the header of the answer back as it came: with all attributes, joined by commas. */
  async function signIn(address: string) {
    const stranger = programOf(address, 'urllib');
    const answer = await stranger.ask('POST', '/auth/login', { auth: 'root', password });
    expect(answer.status).toBe(204);
    const cookie = (answer.headers['set-cookie'] ?? []).join(', ');
    return programOf(address, 'urllib', { cookie, 'content-type': 'application/json' });
  }

  test('signs in with a body that is called a form, and sends its cookie as it came', async () => {
    const { address } = await server();
    const program = await signIn(address);
    expect(await program.call('GET', '/user')).toMatchObject({ username: 'root' });
    expect((await program.ask('POST', '/auth/logout')).status).toBe(204);
    expect((await program.ask('GET', '/user')).status).toBe(401);
  });

  test('describes a project and runs it', async () => {
    const { address } = await server();
    const program = await signIn(address);
    const { id: project_id } = await program.call('POST', '/projects', {
      name: 'Collected',
      alert: false,
      alert_chat: '',
      max_parallel_tasks: 0,
      demo: false,
    });
    const at = `/project/${Number(project_id)}`;
    const add = async (path: string, body: Json): Promise<number> =>
      Number((await program.call('POST', `${at}${path}`, { project_id, ...body }))['id']);
    const key = await add('/keys', { name: 'No key', type: 'none' });
    const repository = await add('/repositories', {
      name: 'Code',
      git_url: await gitRepository(files),
      git_branch: 'main',
      ssh_key_id: key,
    });
    const inventory = await add('/inventory', {
      name: 'Hosts',
      type: 'static',
      inventory: 'localhost ansible_connection=local',
      ssh_key_id: key,
    });
    const environment = await add('/environment', {
      name: 'Variables',
      json: '{"a": "b"}',
      env: '{"C": "d"}',
      password: '',
      secrets: [],
    });
    const view = await add('/views', { title: 'All of it', position: 1 });
    const template = await add(
      '/templates',
      templateOf({ repository, inventory, environment, view }),
    );
    const task = await program.call('POST', `${at}/tasks`, {
      template_id: template,
      inventory_id: 0,
      debug: false,
      message: 'From a playbook',
    });
    const path = `${at}/tasks/${Number(task['id'])}`;
    expect(await pollTask(program, path, 'success')).toMatchObject({ message: 'From a playbook' });
    expect((await program.ask('GET', `${path}/raw_output`)).text).toContain('--inventory=');
    expect((await program.ask('DELETE', at)).status).toBe(204);
  });

  /** With the values that the collection fills in, which are known to no version of the API. */
  const templateOf = (ids: Record<string, number>): Json => ({
    name: 'Collected',
    app: 'ansible',
    playbook: 'play.yml',
    repository_id: ids['repository'],
    inventory_id: ids['inventory'],
    environment_id: ids['environment'],
    view_id: ids['view'],
    build_template_id: 0,
    type: '',
    description: '',
    git_branch: '',
    limit: '',
    tags: '',
    skip_tags: '',
    vault_password: '',
    start_version: '',
    allow_override_args_in_task: false,
    suppress_success_alerts: false,
    autorun: false,
    prompt_inventory: false,
    prompt_limit: false,
    prompt_vault_password: false,
    vaults: [],
    survey_vars: [],
    arguments: '[]',
  });

  test('may repeat what only the template says, and is refused anything else', async () => {
    const { address, id, at } = await withTemplate();
    const program = await signIn(address);
    const { repository_id, environment_id } = await program.call('GET', `${at}/templates/${id}`);
    const same = { repository_id, environment_id, override_args: '', start_version: '' };
    const launch = (options: Json) =>
      program.ask('POST', `${at}/tasks`, { template_id: id, ...options });
    expect((await launch(same)).status).toBe(201);
    const others = {
      repository_id: 9999,
      environment_id: 9999,
      override_args: '["-v"]',
      start_version: '2.0',
    };
    for (const [field, value] of Object.entries(others)) {
      const { status, json } = await launch({ ...same, [field]: value });
      expect([status, json['params']]).toEqual([422, { field }]);
    }
  });
});

test('the older web client, whose calls without a body have no content type', async () => {
  const { address, id, at } = await withTemplate();
  const origin = { origin: address, referer: `${address}/` };
  const visitor = programOf(address, 'axios', origin);
  const signedIn = await visitor.ask('POST', '/auth/login', { auth: 'root', password });
  expect(signedIn.status).toBe(204);
  const page = programOf(address, 'axios', { ...origin, ...cookieOf(signedIn) });
  const task = await page.call('POST', `${at}/tasks`, {
    template_id: id,
    environment: '{}',
    secret: '{}',
    params: {},
  });
  const path = `${at}/tasks/${Number(task['id'])}`;
  await pollTask(page, path, 'success');
  expect((await page.list(`${path}/output`)).length).toBeGreaterThan(0);
  const alias = await page.call('POST', `${at}/integrations/aliases`);
  const one = `${at}/integrations/aliases/${Number(alias['id'])}`;
  expect((await page.ask('DELETE', one)).status).toBe(204);
  const other = { origin: 'https://elsewhere.example', ...cookieOf(signedIn) };
  const foreign = await programOf(address, 'axios', other).ask('POST', '/auth/logout');
  expect([foreign.status, foreign.json['code']]).toEqual([403, 'request.cross_site']);
  expect((await page.ask('POST', '/auth/logout')).status).toBe(204);
  expect((await page.ask('GET', '/user')).status).toBe(401);
});

test('a script with curl: the body is called a form', async () => {
  const { address, token, id, at } = await withTemplate();
  const program = programOf(address, 'curl', bearer(token));
  const task = await program.call('POST', `${at}/tasks`, `{"template_id": ${id}}`);
  const path = `${at}/tasks/${Number(task['id'])}`;
  await pollTask(program, path, 'success');
  expect((await program.ask('GET', `${path}/output`)).list.length).toBeGreaterThan(0);
  // A page of a browser has to say that it sends JSON: a form of another site cannot.
  const page = { ...bearer(token), origin: address, 'sec-fetch-site': 'same-origin' };
  const form = await programOf(address, 'curl', page).ask('POST', `${at}/tasks`, '{}');
  expect(form.status).toBe(415);
});
