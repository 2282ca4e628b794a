// PUT and PATCH with some of the fields: which fields keep their values, which are cleared, and
// what is refused.

import { describe, expect, test } from 'vitest';
import { noLimits } from '#shared/grants/limits.ts';
import { pathOf } from '#shared/api/path.ts';
import { endpoints, mergeOf, mergeOfPatch } from '#shared/api/index.ts';
import { change, done, everything, type Json, read } from './helpers/changed-resources.ts';

test('every PUT of something that GET reads has a PATCH with the same permission', () => {
  const pairs = endpoints.filter(({ endpoint }) => mergeOf(endpoint));
  expect(pairs.length).toBeGreaterThan(14);
  for (const { endpoint } of pairs) {
    const patch = mergeOf(endpoint)?.patch;
    expect(patch && mergeOfPatch(patch)?.put).toBe(endpoint);
    expect([patch?.permission, patch?.token, patch?.versioned]).toEqual([
      endpoint.permission,
      endpoint.token,
      endpoint.versioned,
    ]);
  }
});

test('a PATCH without fields changes nothing, whatever it is sent to', async () => {
  const { app, ids } = await everything();
  for (const { name, endpoint } of endpoints) {
    if (!mergeOf(endpoint)) continue;
    const url = pathOf(endpoint, { params: ids });
    const before = await read(app.admin, url);
    expect([name, await change(app.admin, ['PATCH', url], {})]).toEqual([name, done]);
    // Vaults are written again, with other ids.
    const text = (thing: Json) =>
      JSON.stringify(thing, (key, value: unknown) => (key === 'vaults' ? null : value));
    expect([name, text(await read(app.admin, url))]).toEqual([name, text(before)]);
    const known = await change(app.admin, ['PATCH', url], { nobody_knows: 1 });
    expect([name, known]).toEqual([
      name,
      { status: 400, code: 'request.invalid', fields: [['nobody_knows', 'field.unknown']] },
    ]);
  }
});

/** For each resource, a field that changes alone. A new resource needs an entry. */
const oneField: Record<string, Json> = {
  'users.update': { name: 'Other' },
  'projects.update': { max_parallel_tasks: 9 },
  'apps.update': { title: 'Other' },
  'members.update': { role: 'guest' },
  'grants.update': { limits: { ...noLimits, tags: ['nightly'] } },
  'projectRoles.update': { description: 'Other' },
  'installationRoles.update': { description: 'Other' },
  'keys.update': { name: 'Other' },
  'hostConfigs.update': { host: 'https://git.example.org/other/' },
  'executionEnvironments.update': { image: 'tools:2' },
  'installationEnvironments.update': { image: 'tools:2' },
  'repositories.update': { git_branch: 'other' },
  'inventories.update': { inventory: 'other' },
  'environments.update': { json: '{"other": 1}' },
  'views.update': { position: 9 },
  'templates.update': { description: 'Other' },
  'workflows.update': { description: 'Other' },
  'integrations.update': { searchable: false },
  'extractValues.update': { variable: 'other' },
  'matchers.update': { value: 'other' },
  'schedules.update': { missed: 'skip' },
  'alertChannels.update': { name: 'Other' },
  'runners.update': { name: 'Changed' },
  'projectRunners.update': { tags: ['other'] },
  'groupRules.update': { pattern: 'other' },
};

test('an object that is read, changed by one field and written back keeps all others', async () => {
  const { app, ids } = await everything();
  const names = endpoints.filter(({ endpoint }) => mergeOf(endpoint)).map(({ name }) => name);
  expect(Object.keys(oneField).toSorted()).toEqual(
    names.filter((name) => name.endsWith('.update')).toSorted(),
  );
  for (const { name, endpoint } of endpoints) {
    if (!mergeOf(endpoint)) continue;
    const url = pathOf(endpoint, { params: ids });
    const before = await read(app.admin, url);
    const field = oneField[name] ?? {};
    expect([name, before]).not.toMatchObject([name, field]);
    expect([name, await change(app.admin, ['PUT', url], before)]).toEqual([name, done]);
    expect([name, await read(app.admin, url)]).toEqual([name, before]);
    const body = { ...before, ...field };
    expect([name, await change(app.admin, ['PUT', url], body)]).toEqual([name, done]);
    const after = await read(app.admin, url);
    // A runner with tags is not the default one any more.
    const follows = 'is_default' in body && { is_default: after['is_default'] };
    expect([name, after]).toEqual([name, { ...body, ...follows }]);
  }
});

test('a PUT without required fields changes what it names and keeps the rest, and names something', async () => {
  const { app, ids } = await everything();
  const at = `/api/project/${ids['project_id']}`;
  const one = `${at}/repositories/${ids['repository_id']}`;
  const before = await read(app.admin, one);
  const part = { id: before['id'], project_id: before['project_id'], git_branch: 'release' };
  expect(await change(app.admin, ['PUT', one], part)).toEqual(done);
  expect(await read(app.admin, one)).toEqual({ ...before, git_branch: 'release' });
  const other = `${at}/environment/${ids['environment_id']}`;
  const variables = await read(app.admin, other);
  expect(await change(app.admin, ['PUT', other], { json: '{"b": 2}' })).toEqual(done);
  expect(await read(app.admin, other)).toEqual({ ...variables, json: '{"b": 2}' });
  for (const { name, endpoint } of endpoints) {
    if (!mergeOf(endpoint)) continue;
    const url = pathOf(endpoint, { params: ids });
    // Where no field is required, an empty body clears optional ones.
    if (endpoint.body.safeParse({}).success) continue;
    const stored = await read(app.admin, url);
    for (const empty of [{}, { id: stored['id'], nobody_knows: 1 }]) {
      const refused = await change(app.admin, ['PUT', url], empty);
      expect([name, refused.status, refused.code]).toEqual([name, 400, 'request.invalid']);
      expect([name, await read(app.admin, url)]).toEqual([name, stored]);
    }
  }
  // A required field may be missing, but not empty.
  const empty = { status: 400, code: 'request.invalid', fields: [['name', 'name.required']] };
  expect(await change(app.admin, ['PUT', one], { name: '' })).toEqual(empty);
  expect(await change(app.admin, ['PUT', one], { name: null })).toEqual(empty);
  expect(await change(app.admin, ['PUT', one], null)).toMatchObject({
    code: 'request.body_missing',
  });
});

describe('a PATCH', () => {
  test('changes its fields, clears those that are null, and keeps all others', async () => {
    const { app, ids } = await everything();
    const url = `/api/project/${ids['project_id']}/templates/${ids['template_id']}`;
    const before = await read(app.admin, url);
    const body = { description: 'Other', git_branch: null, task_params: { tags: ['slow'] } };
    const type = {
      'content-type': 'application/merge-patch+json',
      'sec-fetch-site': 'same-origin',
    };
    expect(await change(app.admin, ['PATCH', url], body, type)).toEqual(done);
    const after = await read(app.admin, url);
    const nested = before['task_params'] as { params: Json };
    expect(after).toEqual({
      ...before,
      vaults: after['vaults'],
      description: 'Other',
      git_branch: null,
      tags: 'slow',
      task_params: { ...nested, tags: ['slow'], params: { ...nested.params, tags: ['slow'] } },
    });
    expect(await change(app.admin, ['PATCH', url], { limit: null })).toEqual(done);
    expect(await read(app.admin, url)).toMatchObject({ limit: '', tags: 'slow' });
    const both = { limit: 'a', task_params: { limit: ['b'] } };
    expect(await change(app.admin, ['PATCH', url], both)).toMatchObject({
      fields: [['task_params.limit', 'field.contradiction']],
    });
    const { task_params: _other, ...rest } = await read(app.admin, url);
    const whole = { ...rest, limit: 'db' };
    expect(await change(app.admin, ['PATCH', url], whole)).toEqual(done);
    expect(await read(app.admin, url)).toMatchObject({
      limit: 'db',
      task_params: { limit: ['db'], tags: ['slow'] },
    });
  });

  test('merges objects inside, as RFC 7396 says', async () => {
    const { app, ids } = await everything();
    const url = `/api/project/${ids['project_id']}/schedules/${ids['schedule_id']}`;
    const task_params = { message: 'Nightly', limit: 'web', dry_run: true };
    expect(await change(app.admin, ['PATCH', url], { task_params })).toEqual(done);
    const inside = { task_params: { message: null, params: { diff: true } } };
    expect(await change(app.admin, ['PATCH', url], inside)).toEqual(done);
    expect(await read(app.admin, url)).toMatchObject({
      name: 'At night',
      task_params: { message: '', limit: 'web', dry_run: true, diff: true },
    });
    expect(await change(app.admin, ['PATCH', url], { task_params: null })).toEqual(done);
    expect((await read(app.admin, url))['task_params']).toBeNull();
  });

  test('keeps secrets that it does not name', async () => {
    const { app, ids } = await everything();
    const at = `/api/project/${ids['project_id']}`;
    const secrets = async () => ({
      keys: await app.ctx.db.selectFrom('keys').select(['id', 'secret']).orderBy('id').execute(),
      environments: await app.ctx.db
        .selectFrom('environment_secrets')
        .select(['name', 'secret'])
        .orderBy('id')
        .execute(),
    });
    const before = await secrets();
    expect(before.environments).toHaveLength(1);
    const body = { name: 'Renamed' };
    const key = `${at}/keys/${ids['key_id']}`;
    const environment = `${at}/environment/${ids['environment_id']}`;
    expect(await change(app.admin, ['PATCH', key], body)).toEqual(done);
    expect(await change(app.admin, ['PATCH', environment], body)).toEqual(done);
    expect(await secrets()).toEqual(before);
    const login_password = { login: 'b', password: 'c' };
    const replaced = { login_password, override_secret: true };
    expect(await change(app.admin, ['PATCH', key], replaced)).toEqual(done);
    expect((await secrets()).keys).not.toEqual(before.keys);
    expect(await read(app.admin, key)).toMatchObject({ name: 'Renamed', type: 'login_password' });
  });

  test('is refused when it is no object, clears what is required, or is based on a stale copy', async () => {
    const { app, ids } = await everything();
    const url = `/api/project/${ids['project_id']}/views/${ids['view_id']}`;
    const type = { status: 400, code: 'request.invalid', fields: [['', 'field.type']] };
    expect(await change(app.admin, ['PATCH', url], ['title'])).toEqual(type);
    expect(await change(app.admin, ['PATCH', url], { title: null })).toMatchObject({
      fields: [['title', 'view.title_required']],
    });
    expect(await change(app.admin, ['PATCH', url], { id: 9 })).toMatchObject({
      fields: [['id', 'field.mismatch']],
    });
    const { etag = '' } = (await app.admin.raw({ url })).headers;
    const based = { 'if-match': etag };
    expect(await change(app.admin, ['PATCH', url], { position: 3 }, based)).toEqual(done);
    const stale = await change(app.admin, ['PATCH', url], { position: 4 }, based);
    expect([stale.status, stale.code]).toEqual([409, 'request.stale']);
    expect(await read(app.admin, url)).toMatchObject({ title: 'View', position: 3 });
  });

  test('loses nothing to others that come at the same time', async () => {
    const { app, ids } = await everything();
    const url = `/api/project/${ids['project_id']}`;
    const changes = [{ alert: true }, { alert_chat: '-7' }, { max_parallel_tasks: 7 }];
    const all = await Promise.all(changes.map((one) => change(app.admin, ['PATCH', url], one)));
    expect(all).toEqual([done, done, done]);
    expect(await read(app.admin, url)).toMatchObject(Object.assign({}, ...changes) as Json);
  });
});
