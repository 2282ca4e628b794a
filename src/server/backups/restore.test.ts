// Which backups are refused, and what a restore takes care of.

import { describe, expect, test } from 'vitest';
import { alertDeliveries } from '#shared/api/alert-deliveries.ts';
import { backups, type Backup } from '#shared/api/backups.ts';
import { environments } from '#shared/api/environments.ts';
import { projects } from '#shared/api/projects.ts';
import { alertConfig, untilTried } from '../../../test/helpers/alerts.ts';
import { testApp, type Caller } from '../../../test/helpers/app.ts';
import { fullProject } from '../../../test/helpers/full-project.ts';
import { send } from '../../../test/helpers/integrations.ts';
import { gitRepository } from '../../../test/helpers/seed.ts';
import { launch, logText, untilFinished } from '../../../test/helpers/tasks.ts';

type Document = Record<string, unknown>;

const empty = { format: 'signalbox', version: 1, meta: { name: 'New' } };
const key = { name: 'Key', type: 'none' };
const repository = {
  name: 'Code',
  git_url: 'https://example.com/c.git',
  git_branch: 'main',
  ssh_key: 'Key',
};
const template = { name: 'T', app: 'bash', playbook: 'a.sh', repository: 'Code' };
const based = { ...empty, keys: [key], repositories: [repository] };

/** The places and codes of a refusal. */
async function refusalOf(caller: Caller, body: unknown): Promise<(string | number)[][]> {
  const answer = await caller.ask(backups.restore, { body });
  const { status, body: said } = answer;
  expect([status, said.code]).toEqual([400, 'request.invalid']);
  return (said.fields ?? []).map(({ path, code, params = {} }) => [
    path,
    code,
    ...Object.values(params),
  ]);
}

const cases: [what: string, document: Document, refusal: (string | number)[][]][] = [
  ['no name', { ...empty, meta: {} }, [['meta.name', 'project.name_required']]],
  ['no meta', { format: 'signalbox', version: 1 }, [['meta', 'field.required']]],
  ['another format', { ...empty, format: 'other' }, [['format', 'field.option', 'signalbox']]],
  ['a later version', { ...empty, version: 2 }, [['version', 'field.option', '1']]],
  ['no version', { ...empty, version: null }, [['version', 'field.required']]],
  ['a section that is no list', { ...empty, keys: {} }, [['keys', 'field.type', 'array']]],
  [
    'unknown fields at every depth',
    {
      ...based,
      users: [],
      meta: { name: 'New', id: 5 },
      keys: [{ ...key, secret: 'x' }],
      templates: [{ ...template, view_id: 7, vaults: [{ vault_key: 'Key', vault_key_id: 1 }] }],
    },
    [
      ['users', 'field.unknown'],
      ['meta.id', 'field.unknown'],
      ['keys.0.secret', 'field.unknown'],
      ['templates.0.vaults.0.vault_key_id', 'field.unknown'],
      ['templates.0.view_id', 'field.unknown'],
    ],
  ],
  [
    'a circle of deploys',
    {
      ...based,
      templates: ['A', 'B'].map((name, index) => ({
        ...template,
        name,
        type: 'deploy',
        build_template: ['B', 'A'][index],
      })),
    },
    [
      ['templates.0.build_template', 'template.build_template_wrong'],
      ['templates.1.build_template', 'template.build_template_wrong'],
    ],
  ],
  [
    'what only use cases know',
    {
      ...based,
      repositories: [repository, { ...repository, name: 'Local', git_url: '/etc' }],
      templates: [
        { ...template, app: 'unheard-of' },
        { ...template, name: 'U', type: 'deploy', build_template: 'V' },
        { ...template, name: 'V' },
        { ...template, name: 'W', repository: 'Local' },
      ],
      schedules: [
        { template: 'V', cron_format: '61 * * * *' },
        { template: 'V', cron_format: '0 0 30 2 *', time_zone: 'UTC' },
        { template: 'V', cron_format: '@daily', time_zone: 'Moon/Sea' },
        { template: 'T', cron_format: '@daily' },
      ],
      environments: [{ name: 'E', secrets: [{ type: 'env', name: 'A B' }, { type: 'var' }] }],
      integrations: [{ name: 'I', auth_secret: 'Key' }],
    },
    [
      ['environments.0.secrets.0.name', 'environment.variable_name'],
      ['environments.0.secrets.1.name', 'name.required'],
      ['repositories.1.git_url', 'repository.local_not_allowed'],
      ['templates.0.app', 'template.app_unknown'],
      ['templates.1.build_template', 'template.build_template_wrong'],
      ['schedules.0.cron_format', 'schedule.cron_minute', '61'],
      ['schedules.1.cron_format', 'schedule.cron_never', '0 0 30 2 *'],
      ['schedules.2.time_zone', 'schedule.time_zone_unknown'],
      ['integrations.0.auth_secret', 'integration.secret_type'],
    ],
  ],
];

describe('a restore', () => {
  test('is refused with every place that is wrong, and leaves nothing', async () => {
    const app = await testApp({ config: { localRepositories: [] } });
    for (const [what, document, refusal] of cases) {
      expect([what, await refusalOf(app.admin, document)]).toEqual([what, refusal]);
    }
    expect(await app.admin.call(projects.list, {})).toEqual([]);
    for (const table of ['keys', 'repositories', 'templates', 'members'] as const) {
      expect(await app.ctx.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    const recorded = await app.ctx.db.selectFrom('events').select('code').execute();
    expect(recorded.filter(({ code }) => !/^(user|session)\./.test(code))).toEqual([]);
  });

  test('gives new addresses for those that are taken, and keeps the others', async () => {
    const app = await testApp();
    const { params, aliases } = await fullProject(app.admin);
    const document: Backup = await app.admin.call(backups.read, { params });
    const [push] = document.integrations.filter(({ name }) => name === 'Push');
    push?.aliases.push('a0a0a0a0a0a0a0a0');
    const made = await app.admin.call(backups.restore, { body: document });
    const replaced = made.new_aliases.map(({ path, integration }) => [path, integration]);
    expect(replaced).toEqual([
      ['integrations.1.aliases.0', 'Push'],
      ['integrations.1.aliases.1', 'Push'],
      ['integration_aliases.0', null],
    ]);
    const again = await app.admin.call(backups.read, { params: { project_id: made.id } });
    const known = [...(again.integrations[1]?.aliases ?? []), ...again.integration_aliases];
    expect(known).toHaveLength(4);
    expect(known.filter((alias) => aliases.includes(alias))).toEqual([]);
    expect(known[2]).toBe('a0a0a0a0a0a0a0a0');
    for (const { url } of made.new_aliases) expect(known).toContain(url.split('/').at(-1));
    const answer = await send(app.admin, { alias: 'a0a0a0a0a0a0a0a0', body: {} });
    // The key has no secret yet.
    expect(answer.statusCode).toBe(401);
  });
});

test('names of things may be in any order, and stand for those of this file only', async () => {
  const app = await testApp();
  const { params } = await fullProject(app.admin);
  const before = await app.admin.call(backups.read, { params });
  const reversed = Object.fromEntries(
    Object.entries(before).map(([name, part]) => [
      name,
      Array.isArray(part) ? (part as unknown[]).toReversed() : part,
    ]),
  );
  const body = { ...reversed, integration_aliases: [], project_id: 0 };
  const { id } = await app.admin.call(backups.restore, { body });
  const after = await app.admin.call(backups.read, { params: { project_id: id } });
  expect(after.templates).toEqual(before.templates);
  expect(after.workflows).toEqual(before.workflows);
  expect(after.views).toEqual(before.views);
  const foreign = { ...based, templates: [{ ...template, environment: 'Variables' }] };
  expect(await refusalOf(app.admin, foreign)).toEqual([
    ['templates.0.environment', 'restore.unknown_reference', 'environments', 'Variables'],
  ]);
});

test('too many, too deep and too large documents are refused', async () => {
  const app = await testApp();
  const deep = JSON.parse('['.repeat(50) + ']'.repeat(50)) as unknown;
  const ask = (more: object) => refusalOf(app.admin, { ...empty, ...more });
  const tooMuch = [['', 'restore.too_much']];
  expect(await ask({ keys: deep })).toEqual(tooMuch);
  expect(await ask({ keys: [Array.from({ length: 500_001 }, () => 0)] })).toEqual(tooMuch);
  const keys = Array.from({ length: 2001 }, () => 0);
  expect(await ask({ keys })).toEqual([['keys', 'field.too_many', 2000]]);
  expect(await ask({ keys: keys.slice(1) })).toHaveLength(100);
  const chain = Array.from({ length: 60 }, (_, index) => ({
    ...template,
    name: `D${index}`,
    type: index === 0 ? 'build' : 'deploy',
    start_version: '1',
    build_template: index === 0 ? undefined : `D${index - 1}`,
  }));
  const refused = await refusalOf(app.admin, { ...based, templates: chain });
  expect(refused[0]).toEqual(['templates.51.build_template', 'restore.chain_too_long', 50]);
  expect(refused).toHaveLength(9);
  const large = JSON.stringify({ ...empty, more: 'x'.repeat(16 * 1024 * 1024) });
  const headers = { 'content-type': 'application/json' };
  const url = '/api/projects/restore';
  const answer = await app.admin.raw({ method: 'POST', url, headers, payload: large });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    413,
    { code: 'request.too_large', params: { limit: 16 * 1024 * 1024 } },
  ]);
  const fits = JSON.stringify({ ...empty, more: 'x'.repeat(15 * 1024 * 1024) });
  const within = await app.admin.raw({ method: 'POST', url, headers, payload: fits });
  expect(within.json()).toMatchObject({ fields: [{ path: 'more', code: 'field.unknown' }] });
});

test('no more than a hundred errors are looked for, and others are answered meanwhile', async () => {
  const app = await testApp();
  const spent = process.threadCpuUsage().user;
  const wrong = await refusalOf(app.admin, {
    ...empty,
    templates: Array.from({ length: 2000 }, () => ({})),
  });
  expect(wrong).toHaveLength(100);
  expect((process.threadCpuUsage().user - spent) / 1000).toBeLessThan(1000);
  const fields = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`k${index}`, 1]));
  const tooMuch = [['', 'restore.too_much']];
  expect(await refusalOf(app.admin, { ...empty, keys: [fields] })).toEqual(tooMuch);
  // Notes on what is left out of a file of the older API are bounded too.
  const some = Object.fromEntries(Object.entries(fields).slice(0, 90));
  const older = {
    meta: empty.meta,
    keys: Array.from({ length: 100 }, () => ({ ...key, ...some })),
  };
  expect(await refusalOf(app.admin, older)).toEqual(tooMuch);
});

test('a name like __proto__ is a name like any other', async () => {
  const app = await testApp();
  const payload = `{"format": "signalbox", "version": 1, "meta": {"name": "P"},
    "keys": [{"name": "__proto__", "type": "none"}, {"name": "constructor", "type": "none"}],
    "__proto__": {"keys": 5, "polluted": true}}`;
  const post = (text: string) =>
    app.admin.raw({
      method: 'POST',
      url: '/api/projects/restore',
      headers: { 'content-type': 'application/json' },
      payload: text,
    });
  const made = (await post(payload)).json<{ id: number }>();
  const document = await app.admin.call(backups.read, { params: { project_id: made.id } });
  expect(document.keys.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  expect('polluted' in {}).toBe(false);
  const inner = `{"format": "signalbox", "version": 1, "meta": {"name": "P"},
    "keys": [{"__proto__": {"name": "x", "type": "none"}}]}`;
  const refused = (await post(inner)).json<{ fields: { path: string; code: string }[] }>();
  expect(refused.fields.map(({ path, code }) => [path, code])).toEqual([
    ['keys.0.__proto__', 'field.unknown'],
    ['keys.0.name', 'name.required'],
    ['keys.0.type', 'inventory.type_required'],
  ]);
});

test('a task whose secret has no value yet fails and says so, until it is given', async () => {
  const app = await testApp({ runner: true });
  const git_url = await gitRepository({ 'a.sh': 'echo "the token is $TOKEN"\n' });
  const document = {
    ...based,
    repositories: [{ ...repository, git_url }],
    environments: [{ name: 'E', secrets: [{ type: 'env', name: 'TOKEN' }] }],
    templates: [{ ...template, environment: 'E' }],
  };
  const made = await app.admin.call(backups.restore, { body: document });
  const params = { project_id: made.id };
  const first = await launch(app.admin, made.id, { template_id: 1 });
  expect((await untilFinished(app.admin, first)).status).toBe('error');
  expect(await logText(app.admin, first)).toContain('have no value yet: TOKEN');
  const of = { ...params, environment_id: made.empty_secrets[0]?.environment_id ?? 0 };
  const { secrets } = await app.admin.call(environments.one, { params: of });
  expect(secrets).toMatchObject([{ name: 'TOKEN', empty: true }]);
  const given = { ...secrets?.[0], operation: 'update' as const, secret: 'hush-hush' };
  const body = { name: 'E', secrets: [given] };
  await app.admin.call(environments.update, { params: of, body });
  const second = await launch(app.admin, made.id, { template_id: 1 });
  expect((await untilFinished(app.admin, second)).status).toBe('success');
  expect(await app.admin.call(environments.one, { params: of })).toMatchObject({
    secrets: [{ name: 'TOKEN', empty: false }],
  });
});

test('a channel that was not told yet where it goes says so when it is used', async () => {
  const app = await testApp({ runner: true, config: alertConfig() });
  const git_url = await gitRepository({ 'a.sh': 'echo done\n' });
  const types = ['email', 'telegram', 'slack', 'gotify', 'webhook'];
  const made = await app.admin.call(backups.restore, {
    body: {
      ...based,
      repositories: [{ ...repository, git_url }],
      templates: [template],
      alert_channels: types.map((type) => ({ name: type, type, events: ['succeeded'] })),
    },
  });
  expect(made.alert_channels).toHaveLength(types.length);
  const task = await launch(app.admin, made.id, { template_id: 1 });
  await untilFinished(app.admin, task);
  await untilTried(app.admin, made.id, { alerts: types.length });
  const params = { project_id: made.id };
  const tried = await app.admin.call(alertDeliveries.list, { params });
  expect(tried.map(({ status, error_code }) => [status, error_code])).toEqual(
    types.map(() => ['failed', 'incomplete']),
  );
});
