import { expect, test } from 'vitest';
import { aliases, integrations } from '#shared/api/integrations.ts';
import { events } from '#shared/api/events.ts';
import { keys } from '#shared/api/keys.ts';
import { extractValues, matchers } from '#shared/api/matchers.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { aliasOf, makeReceiver } from '../../../../test/helpers/integrations.ts';
import { ask } from '../../../../test/helpers/resources.ts';

async function start() {
  const { app, seed } = await appWithProject(null, {
    config: { publicUrl: 'https://box.example' },
  });
  const receiver = await makeReceiver(app.admin, seed.projectId);
  const { params } = receiver;
  const said = async (code: string) =>
    (
      await app.admin.call(events.ofProject, {
        params: { project_id: seed.projectId },
        query: { code },
      })
    ).map(({ description, object_type: type }) => `${type}: ${description}`);
  return { app, seed, receiver, params, said };
}

const kinds = [
  {
    noun: 'matcher',
    group: matchers,
    idParam: 'matcher_id',
    type: 'integrationmatcher',
    body: {
      name: 'First',
      match_type: 'body',
      body_data_type: 'json',
      key: 'a.b',
      method: 'equals',
      value: 'x',
    },
    header: { match_type: 'header', body_data_type: 'json', key: 'X-Event' },
    wrong: [
      ['name', '', 'Name is required'],
      ['name', undefined, 'Name is required'],
      ['match_type', '', 'Match source is required'],
      ['match_type', undefined, 'Match source is required'],
      ['body_data_type', '', 'Body Data Format is required'],
      ['body_data_type', null, 'Body Data Format is required'],
      ['key', '', 'Key is required'],
      ['method', undefined, 'Comparison Method is required'],
      ['value', ' ', 'Value is required'],
      ['value', 'x'.repeat(511), 'Use at most 510 characters'],
      ['key', 'x'.repeat(511), 'Use at most 510 characters'],
      ['key', 'a..b', 'Enter a path such as repository.name, commits[0].id or ["a.b"].c'],
      ['method', 'matches', 'Choose one of: equals, unequals, contains'],
    ],
  },
  {
    noun: 'extract_value',
    group: extractValues,
    idParam: 'value_id',
    type: 'integrationextractvalue',
    body: {
      name: 'First',
      value_source: 'body',
      body_data_type: 'json',
      key: 'a.b',
      variable_type: 'environment',
      variable: 'it',
    },
    header: { value_source: 'header', body_data_type: 'json', key: 'X-Event' },
    wrong: [
      ['name', '', 'Name is required'],
      ['value_source', '', 'Value Source is required'],
      ['body_data_type', '', 'Body Data Type is required'],
      ['key', ' ', 'Key is required'],
      ['key', 'x'.repeat(256), 'Use at most 255 characters'],
      ['variable', '', 'Variable is required'],
      ['variable', 'a b', 'Use letters, digits and underscores, not beginning with a digit'],
      ['variable', 'x'.repeat(256), 'Use at most 255 characters'],
    ],
  },
] as const;

test.each(kinds)('a $noun is made, read, changed and deleted, and told', async (kind) => {
  const { app, receiver, params, said } = await start();
  const { group, body, idParam, noun, type } = kind;
  const made = await ask(app.admin, group.create, {
    params,
    body: { ...body, id: 0, ...params },
  });
  expect([made.status, made.body]).toEqual([
    noun === 'matcher' ? 200 : 201,
    { ...body, id: made.body['id'], integration_id: params.integration_id },
  ]);
  const of = { ...params, [idParam]: made.body['id'] };
  expect((await ask(app.admin, group.list, { params })).body).toEqual([made.body]);
  const changed = { ...body, ...kind.header, name: 'Second' };
  const answer = await ask(app.admin, group.update, { params: of, body: changed });
  expect(answer.status).toBe(204);
  // The type of a body has no meaning for a header.
  const read = await ask(app.admin, group.one, { params: of });
  expect(read.body).toMatchObject({ ...changed, body_data_type: '' });
  const { id, name } = receiver.integration;
  const refs = await ask(app.admin, group.refs, { params: of });
  expect(refs.body).toEqual({ integrations: [{ id, name }] });
  expect((await ask(app.admin, group.remove, { params: of })).status).toBe(204);
  for (const verb of ['one', 'refs', 'update', 'remove'] as const) {
    const gone = await ask(app.admin, group[verb], {
      params: of,
      ...(verb === 'update' && { body }),
    });
    expect([verb, gone.status, gone.body.code]).toEqual([verb, 404, `${noun}.not_found`]);
  }
  expect((await said(`${noun}.`)).map((line) => line.replace(/^(\w+): [^"]+/, '$1 '))).toEqual([
    `${type} "Second" of integration "${name}" deleted`,
    `${type} "Second" of integration "${name}" changed`,
    `${type} "First" added to integration "${name}"`,
  ]);
});

test('addresses are made, shown, told without themselves, and deleted', async () => {
  const { app, seed, receiver, params, said } = await start();
  const ofProject = { project_id: seed.projectId };
  const own = await app.admin.call(aliases.addToProject, { params: ofProject });
  const [first] = await app.admin.call(aliases.list, { params });
  const second = await app.admin.call(aliases.create, { params });
  expect(own.url).toMatch(/^https:\/\/box\.example\/api\/integrations\/[a-z\d]{26}$/);
  expect(aliasOf(first ?? { url: '' })).toBe(receiver.alias);
  expect(await app.admin.call(aliases.list, { params })).toEqual([first, second]);
  expect(await app.admin.call(aliases.ofProject, { params: ofProject })).toEqual([own]);
  const wrong = [
    await app.admin.ask(aliases.remove, { params: { ...params, alias_id: own.id } }),
    await app.admin.ask(aliases.removeFromProject, {
      params: { ...ofProject, alias_id: second.id },
    }),
  ];
  for (const { status, body } of wrong)
    expect([status, body.code]).toEqual([404, 'alias.not_found']);
  await app.admin.call(aliases.remove, { params: { ...params, alias_id: second.id } });
  await app.admin.call(aliases.removeFromProject, { params: { ...ofProject, alias_id: own.id } });
  expect(await app.admin.call(aliases.list, { params })).toEqual([first]);
  const { name } = receiver.integration;
  const lines = await said('alias.');
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(/^integrationalias: Alias of "Project \d+" deleted$/),
    `integrationalias: Alias of "${name}" deleted`,
  ]);
  const rows = await app.ctx.db.selectFrom('integration_aliases').selectAll().execute();
  const all = JSON.stringify([rows, await app.admin.call(events.list, {})]);
  expect(all).not.toContain(receiver.alias);
  expect(all).not.toContain(aliasOf(own));
});

test('addresses are for those who may change integrations, and not for tokens that read', async () => {
  const { app, seed, params } = await start();
  const owner = await app.member(seed.projectId, 'owner');
  const token = async (scope: 'read' | 'all') =>
    app.withToken((await owner.call(tokens.create, { body: newToken.parse({ scope }) })).token);
  const callers = {
    guest: await app.member(seed.projectId, 'guest'),
    task_runner: await app.member(seed.projectId, 'task_runner'),
    'read token': await token('read'),
    manager: await app.member(seed.projectId, 'manager'),
    'all token': await token('all'),
  };
  for (const [who, caller] of Object.entries(callers)) {
    const { status, body } = await caller.ask(aliases.list, { params });
    const isOpen = ['manager', 'all token'].includes(who);
    // Other members are told that there is nothing, as clients expect.
    const wanted = who === 'read token' ? 403 : 200;
    expect([who, status, JSON.stringify(body).includes('api/integrations')]).toEqual([
      who,
      wanted,
      isOpen,
    ]);
  }
});

test.each(kinds)('a $noun is refused in the words of the field that is wrong', async (kind) => {
  const { app, params } = await start();
  const create = (body: object) => ask(app.admin, kind.group.create, { params, body: { ...body } });
  for (const [field, value, message] of kind.wrong) {
    const { status, body } = await create({ ...kind.body, [field]: value });
    expect([field, value, status]).toEqual([field, value, 400]);
    expect(body.fields).toMatchObject([{ path: field, message }]);
  }
  const foreign = await create({ ...kind.body, integration_id: params.integration_id + 1 });
  expect(foreign.body.fields).toMatchObject([{ path: 'integration_id', code: 'field.mismatch' }]);
  for (const key of ['Authorization', 'cookie', 'X-Hub-Signature-256', 'X-Gitlab-Token']) {
    const { body } = await create({ ...kind.body, ...kind.header, key });
    expect(body.fields).toMatchObject([{ path: 'key', code: 'integration.credential_header' }]);
  }
  expect((await ask(app.admin, kind.group.list, { params })).body).toEqual([]);
});

test('an integration is refused in the words of the field that is wrong', async () => {
  const { app, seed } = await start();
  const params = { project_id: seed.projectId };
  const cases: [body: object, path: string, code: string][] = [
    [{}, 'name', 'name.required'],
    [{ name: 'A', auth_method: 'nobody' }, 'auth_method', 'field.option'],
    [{ name: 'A', auth_header: 'a b' }, 'auth_header', 'integration.header_name'],
    [{ name: 'A', auth_header: 'x'.repeat(256) }, 'auth_header', 'field.too_long'],
    [{ name: 'A', auth_secret_id: seed.keyId }, 'auth_secret_id', 'integration.secret_type'],
    [{ name: 'A', task_params: { limit: '{{ x }}' } }, 'task_params.limit', 'field.template_signs'],
    [
      { name: 'A', task_params: { git_branch: '-x' } },
      'task_params.git_branch',
      'field.leading_dash',
    ],
    [{ name: 'A', task_params: [] }, 'task_params', 'field.type'],
  ];
  for (const [body, path, code] of cases) {
    const answer = await ask(app.admin, integrations.create, { params, body: { ...body } });
    expect([body, answer.status]).toEqual([body, 400]);
    expect(answer.body.fields).toMatchObject([{ path, code }]);
  }
});

test('a key that lets senders in is told, and stays', async () => {
  const { app, seed, params } = await start();
  const project = { project_id: seed.projectId };
  const login_password = { login: '', password: 'x' };
  const { id: key_id } = await app.admin.call(keys.create, {
    params: project,
    body: { name: 'Hook', type: 'login_password', login_password },
  });
  const body = { name: 'Strict', auth_method: 'basic' as const, auth_secret_id: key_id };
  await app.admin.call(integrations.update, { params, body });
  const of = { params: { ...project, key_id } };
  const named = [{ id: params.integration_id, name: 'Strict' }];
  expect((await app.admin.call(keys.refs, of)).integrations).toEqual(named);
  expect((await app.admin.ask(keys.remove, of)).body).toMatchObject({
    code: 'key.in_use',
    params: { names: 'integration "Strict"', integrations: 'Strict' },
  });
  await app.admin.call(integrations.remove, { params });
  expect((await app.admin.ask(keys.remove, of)).status).toBe(204);
});
