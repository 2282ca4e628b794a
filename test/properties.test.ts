// Whatever is sent to any endpoint, the answer is never a crash and always says what is wrong.
// SIGNALBOX_PROPERTY_RUNS sets how many requests each endpoint gets; a failure prints the seed.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import { tasks } from '#shared/api/tasks.ts';
import { isErrorCode, isFieldCode, type ErrorBody } from '#shared/errors.ts';
import { engines, testApp, type TestApp } from './helpers/app.ts';
import { seedProject } from './helpers/seed.ts';

const runs = Number(process.env['SIGNALBOX_PROPERTY_RUNS'] ?? 12);
const seed = Number(process.env['SIGNALBOX_PROPERTY_SEED'] ?? 20_260);

type Body = Record<string, unknown>;

interface Sent {
  params: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  payload: string | undefined;
}

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const oddTexts = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202e\u200b\ufeff',
  '🚂'.repeat(300),
  'x'.repeat(256),
  'x'.repeat(70_000),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '-oProxyCommand=id',
  "'; drop table users; --",
  '{{7*7}}',
  '{"__proto__": {"admin": true}}',
  '{"a": "\\u0000"}',
  `{"a": ${deep(2000)}}`,
  '["\\ud800"]',
  'file:///%',
  'file:///srv/%00',
  '9'.repeat(400),
);

const oddNumbers = fc.constantFrom(
  0,
  -1,
  1.5,
  -0,
  2 ** 31,
  2 ** 53,
  999_999_999_999_999,
  1e21,
  5e-324,
  -1e308,
);

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddTexts,
  oddNumbers,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, [null], [[]], { toString: 1 }),
  fc.array(fc.oneof(oddTexts, oddNumbers), { maxLength: 3 }),
  fc.dictionary(fc.oneof(oddTexts, fc.string()), oddTexts, { maxKeys: 3 }),
);

const oddId = fc.oneof(
  fc.constantFrom('0', '-1', '1e3', '1.0', ' 1', '٣', 'null', '%00', '%', '%ff', '..', '999999'),
  fc.constantFrom('999999999999999', '9999999999999999', '1'.repeat(600), '1 or 1=1', '0x1', '+1'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).map(encodeSafely),
);

function encodeSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || '_';
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('"r1"', '"r0"', '"r999999999999999"', '"r2147483648"', 'x', '*')
      .map((value) => ({ 'if-match': value })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'text/plain',
        'application/xml',
        'application',
        '',
        'application/json; charset=x',
      )
      .map((value) => ({ 'content-type': value })),
  },
);

const brokenJson = fc.oneof(
  fc.constantFrom('', '{', '[1,', '{"a":}', 'nul', '\u0000', deep(50_000), '"\ud800"', '{"a":1}}'),
  fc.constantFrom('null', '0', '"text"', '[]', '{"__proto__":{"x":1}}', '{"name":"a","name":"b"}'),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** A body that is accepted as it is, for each endpoint that takes one. */
function samples(ids: Record<string, number>): Record<string, Body> {
  const environment = { name: 'Variables', json: '{"a": 1}', env: '{"B": "c"}' };
  const key = {
    name: 'Key',
    type: 'login_password',
    login_password: { login: 'a', password: 'b' },
    ssh: { login: '', passphrase: '', private_key: '' },
    override_secret: true,
  };
  const repository = {
    name: 'Code',
    git_url: 'ssh://git@example.com/code.git',
    git_branch: 'main',
    ssh_key_id: ids['key_id'],
  };
  const inventory = {
    name: 'Hosts',
    type: 'static',
    inventory: 'localhost',
    ssh_key_id: ids['key_id'],
    become_key_id: null,
    repository_id: ids['repository_id'],
  };
  const template = {
    name: 'Template',
    description: 'What it does',
    app: 'ansible',
    type: '',
    playbook: 'play.yml',
    inventory_id: ids['inventory_id'],
    repository_id: ids['repository_id'],
    environment_id: ids['environment_id'],
    view_id: null,
    git_branch: 'main',
    arguments: '["-v"]',
    limit: 'web',
    tags: 'fast',
    skip_tags: '',
    survey_vars: [
      { name: 'one', title: 'One', type: 'enum', values: [{ name: 'A', value: 'a' }] },
      { name: 'two', title: 'Two', type: 'int', required: false },
    ],
    vault_key_id: null,
    vaults: [{ vault_key_id: ids['key_id'], name: 'dev' }],
    allow_override_limit_in_task: true,
  };
  const task = {
    template_id: ids['template_id'],
    message: 'Why',
    environment: '{"one": "a", "two": 2}',
    secret: '{}',
    debug: true,
    dry_run: true,
    diff: true,
    playbook: 'play.yml',
    arguments: '["-v"]',
    git_branch: 'other',
    limit: 'all',
    tags: 'all',
    skip_tags: 'none',
    inventory_id: ids['inventory_id'],
    commit_hash: 'a'.repeat(40),
  };
  return {
    'session.signIn': { auth: 'root', password: 'a guess' },
    'projects.create': { name: 'Project', alert: true, alert_chat: '1', max_parallel_tasks: 1 },
    'keys.create': key,
    'keys.update': key,
    'repositories.create': repository,
    'repositories.update': repository,
    'inventories.create': inventory,
    'inventories.update': inventory,
    'environments.create': environment,
    'environments.update': environment,
    'templates.create': template,
    'templates.update': template,
    'tasks.start': task,
    'tasks.stop': { force: true },
  };
}

/** The sample with one or two of its fields, at any depth, made odd, removed or added. */
function mutated(sample: Body): fc.Arbitrary<string> {
  const names = Object.keys(sample);
  const change = fc.tuple(
    fc.oneof(fc.constantFrom(...names), fc.constantFrom('id', 'project_id', '__proto__', 'extra')),
    fc.oneof(oddValue, fc.constant(undefined)),
    fc.boolean(),
  );
  return fc.array(change, { maxLength: 2 }).map((changes) => {
    const body: Body = structuredClone(sample);
    for (const [name, value, isDeep] of changes) {
      const inner = Object.hasOwn(body, name) ? body[name] : null;
      const list = Array.isArray(inner) ? (inner as Body[])[0] : (inner as Body | null);
      const target = isDeep && typeof list === 'object' && list !== null ? list : body;
      const field = target === body ? name : (Object.keys(target)[0] ?? name);
      Object.defineProperty(target, field, { value, enumerable: true, configurable: true });
    }
    return JSON.stringify(body);
  });
}

function requests({ name, endpoint }: NamedEndpoint, ids: Record<string, number>) {
  const paramNames = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param]) => param ?? '');
  const idOf = (param: string): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(String(ids[param])) },
      { weight: 1, arbitrary: oddId },
    );
  const sample = samples(ids)[name];
  const payload: fc.Arbitrary<string | undefined> =
    endpoint.method === 'GET'
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 5, arbitrary: sample ? mutated(sample) : fc.constant('{}') },
          { weight: 2, arbitrary: brokenJson },
          { weight: 1, arbitrary: oddValue.map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: fc.constant(undefined) },
        );
  const queryNames = [
    'sort',
    'order',
    'limit',
    'before',
    'from',
    'status',
    'template_id',
    'user_id',
  ];
  const queryValue = fc.oneof(
    fc.constantFrom('1', '0', '-1', '1000', '5000', '2147483648', '999999999', '999999999999999'),
    fc.constantFrom(
      'name',
      'asc',
      'success',
      '\u0000',
      '__proto__',
      '',
      'x'.repeat(3000),
      '\ud800',
    ),
  );
  return fc.record<Sent>({
    params: fc.record(Object.fromEntries(paramNames.map((param) => [param, idOf(param)]))),
    query: fc.dictionary(fc.constantFrom(...queryNames), queryValue, { maxKeys: 2 }),
    headers: oddHeaders,
    payload,
  });
}

async function send(app: TestApp, { endpoint }: NamedEndpoint, sent: Sent) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, param: string) => sent.params[param] ?? '');
  const query = Object.entries(sent.query)
    .map(([name, value]) => `${name}=${encodeSafely(value)}`)
    .join('&');
  return app.admin.raw({
    method: endpoint.method,
    url: query ? `${path}?${query}` : path,
    headers: {
      ...(sent.payload !== undefined && { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(sent.payload !== undefined && { payload: sent.payload }),
  });
}

function checkError(status: number, text: string): void {
  const body = JSON.parse(text) as ErrorBody;
  expect(isErrorCode(body.code)).toBe(true);
  expect(body.error).toMatch(/\S/);
  expect(body.request_id).toMatch(/^[\da-f-]{36}$/);
  expect(body.params).toBeTypeOf('object');
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|SQLITE_|src\/server/);
  if (body.code !== 'request.invalid') return;
  expect(status).toBe(400);
  expect(body.fields?.length).toBeGreaterThan(0);
  for (const field of body.fields ?? []) {
    expect([field.code, isFieldCode(field.code)]).toEqual([field.code, true]);
    expect(field.message).toMatch(/^[^{]+$/);
  }
}

describe.each(engines)('on %s', (engine) => {
  test('every endpoint answers whatever it is sent', async () => {
    const app = await testApp({ engine });
    const { template, ...made } = await seedProject(app.admin, null);
    const one = await template({ allow_override_limit_in_task: true });
    const params = { project_id: made.projectId };
    const ids: Record<string, number> = {
      ...params,
      key_id: made.keyId,
      repository_id: made.repositoryId,
      inventory_id: made.inventoryId,
      environment_id: made.environmentId,
      template_id: one.id,
      task_id: (await app.admin.call(tasks.start, { params, body: { template_id: one.id } })).id,
    };
    const statuses = new Map<number, number>();
    // Signing out would make nobody of the administrator.
    for (const named of endpoints.filter(({ name }) => name !== 'session.signOut')) {
      const holds = fc.asyncProperty(requests(named, ids), async (sent) => {
        const answer = await send(app, named, sent);
        const { statusCode: status, body: text } = answer;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status).toBeLessThan(500);
        if (status >= 400) checkError(status, text);
        else expect(text === '').toBe(status === 204);
      });
      try {
        await fc.assert(holds, { numRuns: runs, seed, endOnFailure: runs > 100 });
      } catch (error) {
        const message = (error as Error).message.slice(0, 3000);
        throw new Error(`${named.name} (${engine}, seed ${seed}): ${message}`, { cause: error });
      }
    }
    // The requests reach all depths: what works, what is invalid, what is not there, conflicts.
    for (const status of [200, 201, 204, 400, 404, 409, 415]) {
      expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
    }
  }, 600_000);

  test('every body that is not changed is accepted', async () => {
    const app = await testApp({ engine });
    const { template, ...made } = await seedProject(app.admin, null);
    const ids = {
      key_id: made.keyId,
      repository_id: made.repositoryId,
      inventory_id: made.inventoryId,
      environment_id: made.environmentId,
      template_id: (await template()).id,
    };
    for (const { name, endpoint } of endpoints) {
      const body = samples(ids)[name];
      if (body) expect([name, endpoint.body.safeParse(body).error]).toEqual([name, undefined]);
    }
  });
});
