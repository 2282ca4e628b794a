// A server in a process of its own with one of each thing and a caller of each role, whose event loop and
// memory are measured from outside.

import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { api, endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/path.ts';
import { builtInRights, roleNames } from '#shared/rights.ts';
import { signedIn, type ApiCall } from '../api-client.ts';
import { publicKey } from '../runner-caller.ts';
import { samples, type Body } from '../samples.ts';
import { startServer, type TestServer } from '../server.ts';

export type Role =
  | 'nobody'
  | 'guest'
  | 'task_runner'
  | 'manager'
  | 'owner'
  | 'administrator'
  | 'remote runner';

export type Ids = Record<string, number | string>;

type Headers = Record<string, string>;

/** The answer to a request. */
interface MeasuredReply {
  status: number;
  /** The sentence of a refusal. */
  error: string;
}

/** What one request has cost. */
export interface Cost extends MeasuredReply {
  /** How long the event loop was held at a stretch, in milliseconds of its processor time. */
  stallMs: number;
  /** By how much the memory of the process grew at its peak. */
  grownMb: number;
}

export interface MeasuredServer {
  server: TestServer;
  ids: Ids;
  send: (role: Role, named: NamedEndpoint, body: string, params?: Ids) => Promise<Cost>;
  /** Reads addresses of the server one after the other, with further headers; returns the worst status. */
  read: (role: Role, paths: string[], further?: Headers) => Promise<Cost>;
  /** What any other work of a role has cost. */
  cost: (role: Role, work: (headers: Headers) => Promise<MeasuredReply>) => Promise<Cost>;
  /** Tells the server that the remote runner lives and works on its task. */
  beat: () => Promise<void>;
}

export function findEndpoint(name: string): NamedEndpoint {
  const found = endpoints.find((one) => one.name === name);
  if (!found) throw new Error(`There is no endpoint ${name}`);
  return found;
}

/** The role with the fewest rights that may call an endpoint. */
export function leastRole({ permission }: Endpoint): Role {
  switch (permission) {
    case 'public':
      return 'nobody';
    case 'user':
    case 'member':
    case 'create_project':
      return 'guest';
    case 'admin':
      return 'administrator';
    case 'runner':
    case 'runner_of_task':
      return 'remote runner';
    default:
      return roleNames.findLast((role) => builtInRights[role].has(permission)) ?? 'owner';
  }
}

const settings = {
  SIGNALBOX_USERS_CREATE_PROJECTS: 'on',
  // Nothing listens there.
  SIGNALBOX_SMTP_URL: 'smtp://127.0.0.1:9',
  SIGNALBOX_SMTP_FROM: 'a@example.com',
};

const longestRequestMs = 60_000;

/** Starts it from these sources, or from those of another version. `onStart` is told of its process. */
export async function startMeasured(
  folder: string,
  checkout: string | undefined,
  onStart: (server: TestServer) => void,
): Promise<MeasuredServer> {
  const socket = join(folder, 'meter');
  const meter = join(import.meta.dirname, 'stall-meter.ts');
  const server = await startServer({
    ...(checkout !== undefined && { checkout: resolve(checkout) }),
    env: { NODE_OPTIONS: `--import=${meter}`, STALL_METER: socket, ...settings },
  });
  onStart(server);
  const admin = await signedIn(server);
  const ids = await makeThings(admin.call);
  const headers = await signInAll(server, admin, ids);
  const beat = async (): Promise<void> => {
    const held = [{ task_id: ids['held_id'], lease: ids['lease'], stop: 'none' }];
    await askNews(server, headers['remote runner'], { ...news, held });
  };
  const process = join('/proc', String(server.child.pid));
  const cost: MeasuredServer['cost'] = async (role, work) => {
    await readMeter(socket);
    await writeFile(join(process, 'clear_refs'), '5');
    const before = await memoryOf(process, 'VmRSS');
    const answered = await work(headers[role]);
    const isStuck = answered.status === 0;
    const stallMs = isStuck ? Infinity : await readMeter(socket);
    const grownMb = (await memoryOf(process, 'VmHWM')) - before;
    return { ...answered, stallMs, grownMb };
  };
  return {
    server,
    ids,
    beat,
    cost,
    send: (role, { endpoint }, body, params = {}) =>
      cost(role, (own) => {
        const path = pathOf(endpoint, { params: { ...ids, ...params } });
        return ask(`${server.address}${path}`, { method: endpoint.method, headers: own, body });
      }),
    read: (role, paths, further = {}) =>
      cost(role, async (own) => {
        let worst: MeasuredReply = { status: 200, error: '' };
        for (const path of paths) {
          const sent = { method: 'GET', headers: { ...own, ...further } };
          const one = await ask(`${server.address}${path}`, sent);
          if (one.status === 0) return one;
          if (one.status > worst.status) worst = one;
        }
        return worst;
      }),
  };
}

/** Status 0: there was no answer in time. */
async function ask(
  url: string,
  { method, headers, body }: { method: string; headers: Headers; body?: string },
): Promise<MeasuredReply> {
  const answer = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(longestRequestMs),
  }).catch(() => null);
  const text = (await answer?.text().catch(() => '')) ?? '';
  const status = answer?.status ?? 0;
  const { error = '' } =
    status < 400 || text === '' ? {} : (JSON.parse(text) as { error?: string });
  return { status, error };
}

const readMeter = async (path: string): Promise<number> => Number(await readAll(connect(path)));

/** In megabytes. */
async function memoryOf(process: string, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(join(process, 'status'), 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000;
}

const made: [id: string, name: string][] = [
  ['project_id', 'projects.create'],
  ['user_id', 'users.create'],
  ['key_id', 'keys.create'],
  ['repository_id', 'repositories.create'],
  ['inventory_id', 'inventories.create'],
  ['environment_id', 'environments.create'],
  ['view_id', 'views.create'],
  ['template_id', 'templates.create'],
  ['workflow_id', 'workflows.create'],
  ['run_id', 'workflows.launch'],
  ['schedule_id', 'schedules.create'],
  ['rule_id', 'groupRules.create'],
];

/** Makes one of each thing; answers their ids by the names of parameters. */
async function makeThings(call: ApiCall): Promise<Ids> {
  const ids: Ids = { app_id: 'tool', look_id: 1, node: 'two' };
  const make = async (name: string, body = samples(ids)[name]): Promise<Record<string, string>> => {
    const { endpoint } = findEndpoint(name);
    return call(endpoint.method, pathOf(endpoint, { params: ids }), body ?? {});
  };
  for (const [id, name] of made) {
    const body = samples(ids)[name] as Body;
    // Their task goes to the remote runner, which alone has this tag.
    if (name === 'projects.create') body['runner_tags'] = [];
    ids[id] = Number((await make(name, body))['id']);
  }
  const integration = { ...samples(ids)['integrations.create'], auth_method: '' };
  // The sample of a key is a login.
  ids['login_key_id'] = ids['key_id'] ?? 0;
  ids['host_config_id'] = Number((await make('hostConfigs.create'))['id']);
  const own = await make('executionEnvironments.create');
  ids['execution_environment_id'] = Number(own['id']);
  const shared = await make('installationEnvironments.create');
  ids['installation_environment_id'] = Number(shared['id']);
  // The caller, who is a member.
  const { id: user_id } = await call<{ id: number }>('GET', '/api/user');
  const granted = { ...samples(ids)['grants.create'], user_id };
  ids['object_type'] = 'template';
  ids['object_id'] = ids['template_id'] ?? 0;
  ids['grant_id'] = Number((await make('grants.create', granted))['id']);
  ids['role_id'] = Number((await make('projectRoles.create'))['id']);
  ids['installation_role_id'] = Number((await make('installationRoles.create'))['id']);
  ids['integration_id'] = Number((await make('integrations.create', integration))['id']);
  const address = await make('aliases.create');
  ids['alias'] = String(address['url']).split('/').at(-1) ?? '';
  ids['value_id'] = Number((await make('extractValues.create'))['id']);
  ids['matcher_id'] = Number((await make('matchers.create'))['id']);
  const channel = {
    ...samples(ids)['alertChannels.create'],
    type: 'email',
    addresses: ['a@example.com'],
    address: '',
    secret: '',
  };
  ids['alert_channel_id'] = Number((await make('alertChannels.create', channel))['id']);
  const runner = await make('runners.create', { name: 'Far away', tags: ['dmz'] });
  ids['runner_id'] = Number(runner['id']);
  ids['token'] = String(runner['token']);
  return ids;
}

const news = {
  version: '1',
  max_parallel_tasks: 1,
  session: 'one',
  is_new: false,
  load: 0,
  held: [] as object[],
  is_leaving: false,
  wait: 0,
};

async function askNews(
  { address }: TestServer,
  headers: Headers,
  body: object,
): Promise<{ tasks: { id: number; lease: number }[] }> {
  const { path, method } = api.runnerApi.poll;
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as never;
}

/** The headers of each role's requests. The remote runner has a task. */
async function signInAll(
  server: TestServer,
  { call, cookies }: Awaited<ReturnType<typeof signedIn>>,
  ids: Ids,
): Promise<Record<Role, Headers>> {
  const headersOf = (given: typeof cookies): Headers => ({
    cookie: given.map(({ name, value }) => `${name}=${value}`).join('; '),
  });
  const enter = async (role: Role): Promise<Headers> => {
    const person = {
      username: role,
      name: role,
      email: `${role}@example.com`,
      password: server.password,
    };
    const { id } = await call<{ id: number }>('POST', '/api/users', {
      ...person,
    });
    await call('POST', `/api/project/${ids['project_id']}/users`, { user_id: id, role });
    return headersOf((await signedIn(server, role)).cookies);
  };
  const register = { ...news, token: ids['token'], public_key: publicKey };
  const { credential } = await call<{ credential: string }>('POST', api.runnerApi.register.path, {
    version: register.version,
    max_parallel_tasks: 1,
    token: register.token,
    public_key: publicKey,
  });
  const runner = { authorization: `Bearer ${credential}` };
  await askNews(server, runner, { ...news, is_new: true });
  const { id } = await call<{ id: number }>('POST', `/api/project/${ids['project_id']}/tasks`, {
    template_id: ids['template_id'],
    environment: '{"one": "a"}',
  });
  const { tasks } = await askNews(server, runner, { ...news, wait: 20 });
  const task = tasks.find((one) => one.id === id);
  if (!task) throw new Error('The remote runner was given no task.');
  Object.assign(ids, { task_id: id, held_id: id, lease: task.lease });
  return {
    nobody: {},
    guest: await enter('guest'),
    task_runner: await enter('task_runner'),
    manager: await enter('manager'),
    owner: await enter('owner'),
    administrator: headersOf(cookies),
    'remote runner': runner,
  };
}
