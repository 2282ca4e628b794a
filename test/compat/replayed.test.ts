// Single calls as clients of other versions have made them, word by word: what a program sends as
// text, and what it reads of the answer. `:project`, `:template` and the like stand for ids.

import { afterAll, describe, expect, test } from 'vitest';
import { oldClient, oldProject, oldTemplate, untilStatus } from '../helpers/old-client.ts';
import { open } from '../helpers/later-forms.ts';
import { bearer, programOf, sendRaw, tokenOf, type Json } from '../helpers/replay.ts';

/** One server and one project for all tests here. */
let shared: ReturnType<typeof start> | undefined;
const server = () => (shared ??= start());
afterAll(async () => (await shared)?.client.app.close());

async function start() {
  const client = await oldClient({ shared: true });
  const project = await oldProject(client);
  const add = async (path: string, body: Json): Promise<number> =>
    Number((await client.call('POST', `${project.at}${path}`, body))['id']);
  const narrow = await add('/templates', oldTemplate(project, { name: 'Narrow' }));
  const template = await add('/templates', oldTemplate(project, { ...open, name: 'Open' }));
  const integration = await add('/integrations', { name: 'Hook', template_id: template });
  const schedule = await add('/schedules', { template_id: template, cron_format: '@daily' });
  const secret = { password: 'x' };
  const login = { name: 'Login', type: 'login_password', login_password: secret };
  const ids: Record<string, number> = {
    project: project.id,
    key: project.key,
    repository: project.repository,
    inventory: project.inventory,
    environment: project.environment,
    other: await add('/environment', { name: 'Second', json: '{}' }),
    login: await add('/keys', login),
    narrow,
    template,
    integration,
    schedule,
    view: await add('/views', { title: 'First' }),
    runner: await add('/runners', { name: 'Own' }),
    me: client.app.admin.userId,
  };
  const token = await tokenOf(client.address);
  const program = programOf(client.address, 'go', bearer(token));
  const fill = (text: string): string =>
    text.replaceAll(/:([a-z]+)\b/g, (whole, name: string) => String(ids[name] ?? whole));
  return { client, project, program, token, fill };
}

type Row = [call: string, body: string | undefined, status: number, reply?: Json | Json[]];

const at = '/project/:project';

const launches: Row[] = [
  // What a template does not open is refused, and nothing is left out of a launch without a word.
  [`POST ${at}/tasks`, '{"template_id": :narrow, "limit": "web1"}', 422],
  [`POST ${at}/tasks`, '{"template_id": :narrow, "git_branch": "other"}', 422],
  [`POST ${at}/tasks`, '{"template_id": :narrow, "arguments": "[\\"-v\\"]"}', 422],
  [`POST ${at}/tasks`, '{"template_id": :narrow, "environment": "{\\"a\\":\\"b\\"}"}', 422],
  [`POST ${at}/tasks`, '{"template_id": :narrow, "params": {"limit": ["web1"]}}', 422],
  [`POST ${at}/tasks`, '{"template_id": :template, "hosts": "web1"}', 400],
  [`POST ${at}/tasks`, '{"template_id": :template, "params": {"hosts": ["web1"]}}', 400],
  [
    `POST ${at}/tasks`,
    '{"template_id": :template, "params": {"dry_run": true, "diff": true, "debug": true, "debug_level": 2, "limit": ["web1"], "tags": ["pkg"], "skip_tags": []}}',
    201,
    { dry_run: true, diff: true, debug: true, debug_level: 2, limit: 'web1', tags: 'pkg' },
  ],
  [
    `POST ${at}/tasks`,
    '{"template_id": :template, "project_id": :project, "inventory_id": 0}',
    201,
  ],
];

const values: Row[] = [
  // Keys that inventories need not have.
  [
    `POST ${at}/inventory`,
    '{"project_id": :project, "name": "Here", "type": "static", "inventory": "localhost ansible_connection=local"}',
    201,
    { ssh_key_id: null },
  ],
  [
    `POST ${at}/inventory`,
    '{"project_id": :project, "name": "Scripted", "type": "file", "inventory": "hosts.py", "ssh_key_id": null}',
    201,
    { ssh_key_id: null },
  ],
  [
    `POST ${at}/inventory`,
    '{"project_id": :project, "name": "Space", "type": "tofu-workspace", "inventory": "blue"}',
    201,
    { type: 'tofu-workspace' },
  ],
  // Schedules that are due once, that say nothing of `active`, and with a time that is none.
  [
    `POST ${at}/schedules`,
    '{"template_id": :template, "type": "run_at", "run_at": "2127-06-25T02:00:00Z", "delete_after_run": true}',
    201,
    { type: 'run_at', run_at: '2127-06-25T02:00:00Z', delete_after_run: true, cron_format: '' },
  ],
  [
    `POST ${at}/schedules`,
    '{"template_id": :template, "name": "Quiet", "cron_format": "@every 1h", "run_at": "0001-01-01T00:00:00Z"}',
    201,
    { active: false, cron_format: '@every 1h', run_at: null },
  ],
  [`POST ${at}/schedules/validate`, '{"cron_format": "@every 1h"}', 200],
  // A part of the fields.
  [
    `PUT ${at}/repositories/:repository`,
    '{"id": :repository, "project_id": :project, "git_branch": "release"}',
    204,
  ],
  [`GET ${at}/repositories/:repository`, undefined, 200, { name: 'Code', git_branch: 'release' }],
  [`PATCH ${at}/repositories/:repository`, '{"git_branch": ""}', 204],
  [`GET ${at}/repositories/:repository`, undefined, 200, { name: 'Code', git_branch: '' }],
  // Integrations.
  [
    `POST ${at}/integrations`,
    '{"project_id": :project, "name": "Open to all", "auth_method": "none", "template_id": :template}',
    201,
    { auth_method: 'none' },
  ],
  [
    `PUT ${at}/integrations/:integration`,
    '{"id": :integration, "name": "Hook", "template_id": :template, "task_params": {"arguments": "[\\"-v\\"]", "message": "Hook", "environment": "{}", "git_branch": "main", "params": {"diff": true, "limit": null, "tags": ["a"], "skip_tags": []}}}',
    204,
  ],
  [
    `GET ${at}/integrations/:integration`,
    undefined,
    200,
    {
      task_params: {
        arguments: '["-v"]',
        message: 'Hook',
        environment: '{}',
        git_branch: 'main',
        params: { diff: true, limit: [], tags: ['a'], skip_tags: [] },
      },
    },
  ],
  // Secrets, views and users.
  [
    `POST ${at}/environment`,
    '{"project_id": :project, "name": "Secrets", "json": "{}", "secrets": [{"id": 0, "type": "var", "name": "word", "secret": "x", "operation": "create"}]}',
    201,
    { secrets: [{ type: 'var', name: 'word', secret: '' }] },
  ],
  [
    `POST ${at}/views`,
    '{"project_id": :project, "title": "Kept", "position": 7}',
    201,
    { position: 7 },
  ],
  [
    'POST /users',
    '{"username": "svc", "name": "Service", "email": "svc@ldap local", "external": true}',
    201,
    { email: 'svc@ldap local', admin: false, alert: false },
  ],
  // Templates.
  [
    `POST ${at}/templates`,
    '{"project_id": :project, "name": "Both", "app": "ansible", "playbook": "play.yml", "inventory_id": :inventory, "repository_id": :repository, "environment_ids": [:other, :environment], "vaults": [{"type": "script", "script": "vault.sh", "name": "prod"}, {"type": "password", "vault_key_id": :login}], "survey_vars": [{"name": "word", "title": "Word", "type": "string"}], "runner_tag": "dmz"}',
    201,
    {
      survey_vars: [{ name: 'word', type: 'string' }],
      vaults: [{ type: 'script', script: 'vault.sh' }, { type: 'password' }],
      runner_tag: 'dmz',
      runner_tags: ['dmz'],
    },
  ],
];

const calls: Row[] = [
  ['GET /info', undefined, 200, { use_remote_runner: false, premium_features: {} }],
  [`GET ${at}/roles/all`, undefined, 200],
  [`GET ${at}/inventory?app=ansible`, undefined, 200],
  [`GET ${at}/keys?type=ssh`, undefined, 200],
  ['GET /users?sort=email&order=desc', undefined, 200],
  [`GET ${at}/users?sort=email`, undefined, 200],
  [`GET ${at}/repositories?sort=ssh_key`, undefined, 200],
  [`GET ${at}/schedules/:schedule/refs`, undefined, 200],
  ['GET /users/:me/refs', undefined, 200],
  ['GET /apps/ansible/refs', undefined, 200],
  ['GET /runners/:runner/refs', undefined, 200],
  ['GET /runners/:runner', undefined, 200, { name: 'Own' }],
  ['PUT /runners/:runner', '{"name": "Renamed", "webhook": "", "max_parallel_tasks": 1}', 204],
  ['POST /runners/:runner/active', '{"active": false}', 204],
  ['GET /runners/:runner', undefined, 200, { name: 'Renamed', active: false, slots: 1 }],
  ['POST /runners/:runner/registration-token', undefined, 200],
  ['GET /runner_tags', undefined, 200],
  [`GET ${at}/runner_tags`, undefined, 200],
  [`GET ${at}/runners/:runner`, undefined, 200, { name: 'Renamed' }],
  [`POST ${at}/notifications/test`, undefined, 409],
  ['POST /user/options', '{"key": "columns", "value": "name"}', 200],
  ['GET /user/options', undefined, 200, { columns: 'name' }],
];

const refused: Row[] = [
  // No body, or none that says anything, where one is needed.
  ['POST /apps/ansible', undefined, 400],
  ['PUT /apps/ansible', undefined, 400],
  [`POST ${at}/views/positions`, undefined, 400],
  [`POST ${at}/integrations/:integration/try`, 'null', 400],
  ['QUERY /user', undefined, 405],
  ['GET /users?sort=password_hash', undefined, 400],
];

const groups: Record<string, Row[]> = {
  'what narrows a launch': launches,
  'values that mean the same as others': values,
  'calls of later versions': calls,
  'what is refused': refused,
};

describe.each(Object.entries(groups))('%s', (_title, rows) => {
  test.each(rows)('%s %s: %i', async (call, body, status, reply = {}) => {
    const { client, token, fill } = await server();
    const [method = '', path = ''] = fill(call).split(' ');
    const headers = {
      ...bearer(token),
      accept: 'application/json',
      'user-agent': 'Go-http-client/1.1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const text = body && fill(body);
    const answer = await sendRaw(client.address, [method, path], headers, text);
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
    expect(answer.json).toMatchObject(reply);
  });
});

test('a task that waits for confirmation is confirmed or rejected without a body', async () => {
  const { program, project, client } = await start();
  const asking = oldTemplate(project, { name: 'Asks', requires_confirmation: true });
  const { id } = await program.call('POST', `${project.at}/templates`, asking);
  const launch = async () => {
    const task = await program.call('POST', `${project.at}/tasks`, { template_id: id });
    const path = `${project.at}/tasks/${Number(task['id'])}`;
    await untilStatus(client, path, 'waiting_confirmation');
    return path;
  };
  for (const [call, status] of [
    ['confirm', 'success'],
    ['reject', 'stopped'],
  ] as const) {
    const path = await launch();
    expect((await program.ask('POST', `${path}/${call}`)).status).toBe(204);
    await untilStatus(client, path, status);
  }
  await client.app.close();
});

test('members who may not see the addresses of integrations are answered an empty list', async () => {
  const { client, project } = await server();
  const guest = await client.app.member(project.id, 'guest');
  const program = programOf(client.address, 'go', { cookie: guest.cookie });
  expect((await program.ask('GET', `${project.at}/integrations/aliases`)).list).toEqual([]);
});
