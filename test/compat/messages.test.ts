// What is refused, in the words that people know; and how long texts may be, which are never cut.

import { afterAll, describe, expect, test } from 'vitest';
import { password } from '../helpers/app.ts';
import {
  oldClient,
  oldProject,
  oldTemplate,
  type Json,
  type OldClient,
  type OldProject,
} from '../helpers/old-client.ts';

interface Form {
  path: string;
  /** What is accepted. */
  body: Json;
}

/** Of one server for all tests here. */
let shared: ReturnType<typeof makeForms> | undefined;
const forms = () => (shared ??= makeForms());
afterAll(async () => (await shared)?.client.app.close());

async function makeForms() {
  const client = await oldClient({ shared: true });
  const project = await oldProject(client);
  const { at, key } = project;
  const integration = await client.call('POST', `${at}/integrations`, { name: 'Hook' });
  const rules = `${at}/integrations/${Number(integration['id'])}`;
  const rule = { name: 'R', body_data_type: 'json', key: 'a' };
  const name = 'New';
  const ssh = { login: '', passphrase: '', private_key: '' };
  const all = {
    signIn: { path: '/auth/login', body: { auth: 'root', password } },
    project: { path: '/projects', body: { name } },
    user: {
      path: '/users',
      body: { name, username: 'new', email: 'new@example.com', password },
    },
    template: { path: `${at}/templates`, body: oldTemplate(project, { name }) },
    environment: { path: `${at}/environment`, body: { name, json: '{}', env: '{}' } },
    inventory: {
      path: `${at}/inventory`,
      body: { name, type: 'file', inventory: 'hosts', ssh_key_id: key },
    },
    key: {
      path: `${at}/keys`,
      body: { name, type: 'login_password', login_password: { password: 'x' }, ssh },
    },
    view: { path: `${at}/views`, body: { title: name } },
    repository: {
      path: `${at}/repositories`,
      body: { name, git_url: 'https://example.com/x.git', git_branch: 'main', ssh_key_id: key },
    },
    member: {
      path: `${at}/users`,
      body: { user_id: (await client.app.user('ada')).userId, role: 'guest' },
    },
    integration: { path: `${at}/integrations`, body: { name } },
    value: { path: `${rules}/values`, body: { ...rule, value_source: 'body', variable: 'v' } },
    matcher: {
      path: `${rules}/matchers`,
      body: { ...rule, match_type: 'body', method: 'equals', value: 'x' },
    },
    schedule: {
      path: `${at}/schedules`,
      body: { name, template_id: await aTemplate(client, project), cron_format: '@daily' },
    },
    option: { path: '/options', body: { key: 'k', value: 'v' } },
  } satisfies Record<string, Form>;
  return { client, all };
}

async function aTemplate(client: OldClient, project: OldProject): Promise<number> {
  const made = await client.call('POST', `${project.at}/templates`, oldTemplate(project));
  return Number(made['id']);
}

type Name = keyof Awaited<ReturnType<typeof forms>>['all'];
type Row = [form: Name, field: string, message: string];

/** Absent, null and empty are all the same to whoever fills in a form. */
const required: Row[] = [
  ['signIn', 'auth', 'Username is required'],
  ['signIn', 'password', 'Password is required'],
  ['project', 'name', 'Project name is required'],
  ['user', 'name', 'Name is required'],
  ['user', 'username', 'Username is required'],
  ['user', 'email', 'Email is required'],
  ['template', 'name', 'Name is required'],
  ['template', 'playbook', 'Playbook filename is required'],
  ['template', 'repository_id', 'Repository is required'],
  ['environment', 'name', 'Name is required'],
  ['inventory', 'name', 'Name is required'],
  ['inventory', 'type', 'Type is required'],
  ['inventory', 'inventory', 'Path to Inventory file is required'],
  ['key', 'name', 'Name is required'],
  ['key', 'type', 'Type is required'],
  ['view', 'title', 'Title is required'],
  ['repository', 'name', 'Name is required'],
  ['repository', 'git_url', 'Git URL is required'],
  ['repository', 'git_branch', 'Branch is required'],
  ['repository', 'ssh_key_id', 'Key is required'],
  ['member', 'user_id', 'User is required'],
  ['member', 'role', 'Role is required'],
  ['integration', 'name', 'Name is required'],
  ['value', 'name', 'Name is required'],
  ['value', 'value_source', 'Value Source is required'],
  ['value', 'body_data_type', 'Body Data Type is required'],
  ['value', 'key', 'Key is required'],
  ['value', 'variable', 'Variable is required'],
  ['matcher', 'name', 'Name is required'],
  ['matcher', 'match_type', 'Match source is required'],
  ['matcher', 'body_data_type', 'Body Data Format is required'],
  ['matcher', 'key', 'Key is required'],
  ['matcher', 'method', 'Comparison Method is required'],
  ['matcher', 'value', 'Value is required'],
];

const survey = { name: 'n', title: 'T', type: '', required: false };
const wrong: [form: Name, fields: Json, path: string, message: string][] = [
  ['project', { max_parallel_tasks: 'many' }, 'max_parallel_tasks', 'Must be integer'],
  ['project', { max_parallel_tasks: 1.5 }, 'max_parallel_tasks', 'Must be integer'],
  ['project', { max_parallel_tasks: '1.5' }, 'max_parallel_tasks', 'Must be integer'],
  ['project', { max_parallel_tasks: -1 }, 'max_parallel_tasks', 'Must be 0 or greater'],
  ['project', { max_parallel_tasks: '-1' }, 'max_parallel_tasks', 'Must be 0 or greater'],
  ['user', { password: '' }, 'password', 'Password is required'],
  ['template', { arguments: '-v' }, 'arguments', 'This must be a JSON array of strings'],
  [
    'template',
    { survey_vars: [{ ...survey, title: '' }] },
    'survey_vars.0.title',
    'Title is required',
  ],
  [
    'template',
    { survey_vars: [{ ...survey, name: ' ' }] },
    'survey_vars.0.name',
    'Name is required',
  ],
  [
    'template',
    { survey_vars: [{ ...survey, type: 'enum', values: [] }] },
    'survey_vars.0.values',
    'Enumeration must have values.',
  ],
  ['environment', { json: '{' }, 'json', 'This must be a JSON object'],
  ['environment', { env: '[]' }, 'env', 'This must be a JSON object'],
  ['key', { login_password: null }, 'login_password.password', 'Password is required'],
  ['key', { login_password: { password: '' } }, 'login_password.password', 'Password is required'],
  ['key', { type: 'ssh' }, 'ssh.private_key', 'Private key is required'],
  ['repository', { git_url: 'ftp://example.com/x' }, 'git_url', 'Incorrect URL'],
];

interface FoundMessage {
  path: string;
  message: string;
}

const found = (json: Json): FoundMessage[] =>
  ((json['fields'] ?? []) as FoundMessage[]).map(({ path, message }) => ({ path, message }));

test('a field that is needed is asked for in its own words, absent, null or empty', async () => {
  const { client, all } = await forms();
  const seen: unknown[] = [];
  const wanted: unknown[] = [];
  for (const [form, field, message] of required) {
    const { path, body } = all[form];
    for (const value of [undefined, null, '']) {
      const { status, json } = await client.ask('POST', path, { ...body, [field]: value });
      seen.push([form, value, status, found(json), json['error']]);
      wanted.push([form, value, 400, [{ path: field, message }], `${field}: ${message}`]);
    }
  }
  expect(seen).toEqual(wanted);
});

test('a field that holds something wrong says what is wanted', async () => {
  const { client, all } = await forms();
  const seen: unknown[] = [];
  for (const [form, fields] of wrong) {
    const { path, body } = all[form];
    const { status, json } = await client.ask('POST', path, { ...body, ...fields });
    seen.push([form, fields, status, found(json)]);
  }
  const wanted = wrong.map(([form, fields, path, message]) => [
    form,
    fields,
    400,
    [{ path, message }],
  ]);
  expect(seen).toEqual(wanted);
});

/** The longest text of each field that the older API took; ours may take longer ones. */
const longest: [form: Name, field: string, max: number, atLeast: number][] = [
  ['project', 'name', 255, 255],
  ['project', 'alert_chat', 30, 30],
  ['user', 'name', 255, 255],
  ['user', 'username', 255, 255],
  ['template', 'name', 100, 100],
  ['template', 'playbook', 255, 255],
  ['template', 'app', 50, 50],
  ['template', 'limit', 1024, 255],
  ['template', 'git_branch', 255, 255],
  ['template', 'description', 4096, 255],
  ['environment', 'name', 255, 255],
  ['inventory', 'name', 255, 255],
  ['inventory', 'inventory', 1024, 255],
  ['key', 'name', 255, 255],
  ['view', 'title', 100, 100],
  ['repository', 'name', 255, 255],
  ['repository', 'git_branch', 255, 255],
  ['integration', 'name', 255, 255],
  ['integration', 'auth_header', 255, 255],
  ['value', 'key', 255, 255],
  ['value', 'variable', 255, 255],
  ['matcher', 'key', 510, 510],
  ['matcher', 'value', 510, 510],
  ['schedule', 'name', 100, 100],
  ['option', 'key', 255, 255],
  ['option', 'value', 1000, 1000],
];

/** Names that no other row has used. */
function ownNames(body: Json, row: string): Json {
  const { name, username } = body;
  return {
    ...body,
    ...(typeof name === 'string' && { name: `${name} ${row}` }),
    ...(typeof username === 'string' && { username: row, email: `${row}@example.com` }),
  };
}

describe('the length of a text', () => {
  test.each(longest)('%s %s: %i characters are kept whole, one more is refused', async (...row) => {
    const [form, field, max, atLeast] = row;
    expect(max).toBeGreaterThanOrEqual(atLeast);
    const { client, all } = await forms();
    const { path } = all[form];
    const body = ownNames(all[form].body, `${form}-${field}`);
    const text = 'a'.repeat(max);
    const over = await client.ask('POST', path, { ...body, [field]: `${text}a` });
    expect([over.status, found(over.json)]).toEqual([
      400,
      [{ path: field, message: `Use at most ${max} characters` }],
    ]);
    // For the one row where the text has to be the id of an app.
    await client.ask('PUT', `/apps/${text}`, { id: text, path: '/bin/sh', title: 'Long' });
    const kept = await client.ask('POST', path, { ...body, [field]: text });
    expect([kept.status < 300, kept.json[field]]).toEqual([true, text]);
  });
});
