// A client of the older API: it keeps cookies and sends plain JSON. It uses nothing of our
// contract, so that a change of the contract cannot change the client too.

import { password, testApp, type TestApp } from './app.ts';
import { gitRepository } from './seed.ts';
import { until } from './until.ts';

export type Json = Record<string, unknown>;

interface OldAnswer {
  status: number;
  text: string;
  json: Json;
  list: Json[];
  headers: Headers;
}

export interface OldClient {
  app: TestApp;
  address: string;
  cookie: () => string;
  /** Sends any request. */
  ask: (method: string, path: string, body?: unknown, headers?: object) => Promise<OldAnswer>;
  /** Returns the reply of a request that succeeds; throws otherwise. */
  call: (method: string, path: string, body?: unknown) => Promise<Json>;
  list: (path: string) => Promise<Json[]>;
}

function clientOf(app: TestApp, address: string): OldClient {
  let cookie = '';
  const ask: OldClient['ask'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${address}/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const set = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    if (set.length > 0) cookie = set.join('; ');
    const text = await answer.text();
    const parsed: unknown = /^[[{]/.test(text) ? JSON.parse(text) : {};
    return {
      status: answer.status,
      text,
      json: parsed as Json,
      list: parsed as Json[],
      headers: answer.headers,
    };
  };
  const ok = async (method: string, path: string, body?: unknown): Promise<OldAnswer> => {
    const answer = await ask(method, path, body);
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  };
  return {
    app,
    address,
    cookie: () => cookie,
    ask,
    call: async (method, path, body) => (await ok(method, path, body)).json,
    list: async (path) => (await ok('GET', path)).list,
  };
}

/** A client of a server that listens, signed in as an administrator by default. */
export async function oldClient({ signIn = true, shared = false } = {}): Promise<OldClient> {
  const app = await testApp({ runner: true, shared });
  const client = clientOf(app, await app.listen());
  if (signIn) await client.call('POST', '/auth/login', { auth: 'root', password });
  return client;
}

/** Another client of the same server, signed in as this user. */
export async function sameServer({ app, address }: OldClient, auth: string): Promise<OldClient> {
  const client = clientOf(app, address);
  await client.call('POST', '/auth/login', { auth, password });
  return client;
}

export interface OldProject {
  id: number;
  /** The beginning of every path in the project. */
  at: string;
  key: number;
  repository: number;
  inventory: number;
  environment: number;
}

/**
 * Makes a project as the older web client does: each form contains `project_id`, and lists are read
 * afterwards.
 */
export async function oldProject(
  client: OldClient,
  files: Record<string, string> = { 'play.yml': 'echo hello from the playbook\n' },
): Promise<OldProject> {
  const { id } = await client.call('POST', '/projects', { name: 'Old', alert: false });
  const at = `/project/${Number(id)}`;
  const add = async (path: string, body: Json): Promise<number> => {
    const answer = await client.ask('POST', `${at}${path}`, { ...body, project_id: id });
    if (answer.status >= 300) throw new Error(answer.text);
    // Some of these calls answer nothing there, so clients look for the name in the list.
    const found = (await client.list(`${at}${path}`)).find(({ name }) => name === body['name']);
    return Number(found?.['id']);
  };
  const key = await add('/keys', { name: 'No key', type: 'none', login_password: {}, ssh: {} });
  const repository = await add('/repositories', {
    name: 'Code',
    git_url: await gitRepository(files),
    git_branch: '',
    ssh_key_id: key,
  });
  const inventory = await add('/inventory', {
    name: 'Hosts',
    type: 'static',
    inventory: 'localhost ansible_connection=local\n',
    ssh_key_id: key,
    become_key_id: null,
    repository_id: null,
  });
  const environment = await add('/environment', { name: 'Nothing', json: '{}', env: '{}' });
  return { id: Number(id), at, key, repository, inventory, environment };
}

/** The body that the form of a template sends. */
export function oldTemplate(project: OldProject, fields: Json = {}): Json {
  return {
    project_id: project.id,
    name: 'Run',
    app: 'ansible',
    type: '',
    playbook: 'play.yml',
    inventory_id: project.inventory,
    repository_id: project.repository,
    environment_id: project.environment,
    ...fields,
  };
}

export async function untilStatus(client: OldClient, path: string, status: string): Promise<Json> {
  return until(async () => {
    const task = await client.call('GET', path);
    return task['status'] === status && task;
  });
}
