// What holds for every resource of a project when it is created, read, changed and deleted.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { environments } from '#shared/api/environments.ts';
import { inventories } from '#shared/api/inventories.ts';
import { keys } from '#shared/api/keys.ts';
import { repositories } from '#shared/api/repositories.ts';
import { templates } from '#shared/api/templates.ts';
import { type ApiReply, type Caller, testApp, type TestApp } from './helpers/app.ts';
import { ask, type Body, resources } from './helpers/resources.ts';
import { seedProject, type Seed } from './helpers/seed.ts';

// All tests share one server; every test has projects of its own.
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ shared: true });
});
afterAll(() => app.close());

describe.each(resources)('every $noun', (resource) => {
  const { noun, group, idParam, sample } = resource;
  const start = async (): Promise<{
    seed: Seed;
    params: Body;
    create: (body: Body) => Promise<ApiReply<Body & Body[]>>;
    of: (id: unknown) => Body;
  }> => {
    const seed = await seedProject(app.admin, null);
    const params = { project_id: seed.projectId };
    const create = (body: Body) => ask(app.admin, group.create, { params, body });
    return { seed, params, create, of: (id) => ({ ...params, [idParam]: id }) };
  };

  test('is created, read, changed and deleted', async () => {
    const { seed, create, of, params } = await start();
    const made = await create({ ...sample(seed, 'First'), id: 0, project_id: seed.projectId });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    expect(made.body).toMatchObject({
      id: expect.any(Number),
      project_id: seed.projectId,
      name: 'First',
      ...resource.shown(seed),
    });
    const { id } = made.body;
    const read = await ask(app.admin, group.one, { params: of(id) });
    expect(read.body).toEqual(made.body);

    const body = { ...sample(seed, 'Second'), id, project_id: seed.projectId };
    const changed = await ask(app.admin, group.update, { params: of(id), body });
    expect([changed.status, changed.body]).toEqual([204, '']);
    const again = await ask(app.admin, group.one, { params: of(id) });
    expect(again.body).toMatchObject({ id, name: 'Second', ...resource.shown(seed) });

    const removed = await ask(app.admin, group.remove, { params: of(id) });
    expect([removed.status, removed.body]).toEqual([204, '']);
    for (const verb of ['one', 'update', 'remove'] as const) {
      const args = { params: of(id), ...(verb === 'update' && { body }) };
      const gone = await ask(app.admin, group[verb], args);
      expect([verb, gone.status, gone.body.code]).toEqual([verb, 404, `${noun}.not_found`]);
    }
    const list = await ask(app.admin, group.list, { params });
    expect(list.body.map((one) => one['id'])).not.toContain(id);
  });

  test('is changed only by those who have the newest copy, or do not say', async () => {
    const { seed, create, of } = await start();
    const { id } = (await create(sample(seed, 'One'))).body;
    const read = async () => (await ask(app.admin, group.one, { params: of(id) })).headers['etag'];
    const change = (name: string, ifMatch?: string) =>
      ask(app.admin, group.update, {
        params: of(id),
        body: sample(seed, name),
        ...(ifMatch !== undefined && { ifMatch }),
      });
    const first = String(await read());
    expect((await change('Two', first)).status).toBe(204);
    const second = String(await read());
    expect(second).not.toBe(first);
    for (const stale of [first, '"r0"', '"r999999999999999"', '"something else"', 'r2']) {
      const { status, body } = await change('Three', stale);
      expect([stale, status, body.code]).toEqual([stale, 409, 'request.stale']);
    }
    expect((await ask(app.admin, group.one, { params: of(id) })).body['name']).toBe('Two');
    expect((await change('Three', `W/${second}`)).status).toBe(204);
    expect((await change('Four', '*')).status).toBe(204);
    expect((await change('Five')).status).toBe(204);
    const gone = await ask(app.admin, group.update, {
      params: of(999_999),
      body: sample(seed, 'Six'),
      ifMatch: first,
    });
    expect([gone.status, gone.body.code]).toEqual([404, `${noun}.not_found`]);
  });

  test('has a name of its own, never cut short', async () => {
    const { seed, create, of } = await start();
    const longest = 'n'.repeat(resource.nameMax);
    const made = await create(sample(seed, longest));
    expect(made.body['name']).toBe(longest);
    expect((await create(sample(seed, ' Other '))).body['name']).toBe('Other');

    const taken = await create(sample(seed, 'Other'));
    expect([taken.status, taken.body.code]).toEqual([409, `${noun}.name_taken`]);
    expect(taken.body.params).toEqual({ name: 'Other' });
    const renamed = await ask(app.admin, group.update, {
      params: of(made.body['id']),
      body: sample(seed, 'Other'),
    });
    expect([renamed.status, renamed.body.code]).toEqual([409, `${noun}.name_taken`]);

    const wrong: [name: unknown, code: string][] = [
      [`${longest}n`, 'field.too_long'],
      ['', 'name.required'],
      [undefined, 'name.required'],
      ['a\u0000b', 'field.control_characters'],
      [7, 'field.type'],
    ];
    for (const [name, code] of wrong) {
      const { status, body } = await create({ ...sample(seed, ''), name });
      expect([status, body.fields?.map((field) => field.code)]).toEqual([400, [code]]);
      expect(body.fields?.[0]?.path).toBe('name');
    }
    const elsewhere = await seedProject(app.admin, null);
    const params = { project_id: elsewhere.projectId };
    const same = await ask(app.admin, group.create, { params, body: sample(elsewhere, 'Other') });
    expect(same.status).toBe(201);
  });

  test('is listed in the order asked for', async () => {
    const { seed, create, params } = await start();
    for (const name of ['zz b', 'zz c', 'zz a']) {
      expect((await create(sample(seed, name))).status).toBe(201);
    }
    const list = async (query: Body): Promise<unknown[]> => {
      const { body } = await ask(app.admin, group.list, { params, query });
      return body.map((one) => one['name']);
    };
    const all = await list({});
    expect(all.slice(-3)).toEqual(['zz a', 'zz b', 'zz c']);
    expect(await list({ sort: 'name', order: 'desc' })).toEqual(all.toReversed());
    expect(await list({ limit: 1 })).toEqual(all.slice(0, 1));
    expect(await list({ order: 'desc', limit: '2' })).toEqual(['zz c', 'zz b']);
    for (const sort of resource.sorts) {
      expect(new Set(await list({ sort, order: 'desc' }))).toEqual(new Set(all));
    }
    const wrong: Body[] = [
      { sort: 'id' },
      { sort: 'secret' },
      { sort: 'name; drop table keys' },
      { sort: '' },
      { order: 'up' },
      { limit: 0 },
      { limit: 1001 },
      { limit: 'all' },
      { limit: -1 },
    ];
    for (const query of wrong) {
      const { status, body } = await ask(app.admin, group.list, { params, query });
      expect([query, status, body.code]).toEqual([query, 400, 'request.invalid']);
      expect(body.fields?.map(({ path }) => path)).toEqual(Object.keys(query));
    }
  });

  test('is out of reach through another project, and refers to nothing there', async () => {
    const { seed, create, of } = await start();
    const foreign = await seedProject(app.admin, null);
    const there = { project_id: foreign.projectId };
    const body = sample(seed, 'Ours');
    const { id } = (await create(body)).body;
    const theirs = (
      await ask(app.admin, group.create, { params: there, body: sample(foreign, 'T') })
    ).body['id'];
    for (const verb of ['one', 'update', 'remove'] as const) {
      const args = { params: of(theirs), ...(verb === 'update' && { body }) };
      const answer = await ask(app.admin, group[verb], args);
      expect([verb, answer.status, answer.body.code]).toEqual([verb, 404, `${noun}.not_found`]);
    }
    const foreignValues = sample(foreign, 'Ours 2');
    for (const field of resource.references) {
      for (const value of [foreignValues[field] ?? 999_999, 999_999, 999_999_999_999_999]) {
        const wrong = { ...sample(seed, 'Ours 2'), [field]: value };
        const answers = [
          await create(wrong),
          await ask(app.admin, group.update, { params: of(id), body: wrong }),
        ];
        for (const answer of answers) {
          expect([field, value, answer.status]).toEqual([field, value, 400]);
          expect(answer.body.fields).toEqual([
            {
              path: field,
              code: 'field.reference',
              message: 'This does not exist in this project',
            },
          ]);
        }
      }
    }
    const untouched = await ask(app.admin, group.one, { params: of(id) });
    expect(untouched.body['name']).toBe('Ours');
    const still = { ...there, [idParam]: theirs };
    expect((await ask(app.admin, group.one, { params: still })).body['name']).toBe('T');
  });

  test('is not confused by other ids in the body than in the address', async () => {
    const { seed, create, of } = await start();
    const body = sample(seed, 'Ours');
    const { id } = (await create(body)).body;
    const wrong: [fields: Body, path: string][] = [
      [{ project_id: seed.projectId + 1 }, 'project_id'],
      [{ project_id: String(seed.projectId) }, 'project_id'],
      [{ id: Number(id) + 1 }, 'id'],
    ];
    for (const [fields, path] of wrong) {
      const answer = await ask(app.admin, group.update, {
        params: of(id),
        body: { ...body, ...fields },
      });
      expect([fields, answer.status]).toEqual([fields, 400]);
      expect(answer.body.fields).toMatchObject([{ path, code: 'field.mismatch' }]);
    }
    const made = await create({ ...body, name: 'New', project_id: seed.projectId + 1 });
    expect(made.body.fields).toMatchObject([{ path: 'project_id', code: 'field.mismatch' }]);
  });
});

test('what is in use is not deleted, and says so to old clients too', async () => {
  const seed = await seedProject(app.admin, null);
  await seed.template();
  const params = { project_id: seed.projectId };
  const used: [noun: string, endpoint: Endpoint, ids: Body][] = [
    ['key', keys.remove, { key_id: seed.keyId }],
    ['repository', repositories.remove, { repository_id: seed.repositoryId }],
    ['inventory', inventories.remove, { inventory_id: seed.inventoryId }],
    ['environment', environments.remove, { environment_id: seed.environmentId }],
  ];
  for (const [noun, endpoint, ids] of used) {
    const { status, body } = await ask(app.admin, endpoint, { params: { ...params, ...ids } });
    expect([status, body.code, body.inUse]).toEqual([400, `${noun}.in_use`, true]);
  }
  for (const { id } of await app.admin.call(templates.list, { params })) {
    await app.admin.call(templates.remove, { params: { ...params, template_id: id } });
  }
  for (const [noun, endpoint, ids] of used.toReversed()) {
    // The repository is deleted before the key that it uses.
    const { status } = await ask(app.admin, endpoint, { params: { ...params, ...ids } });
    expect([noun, status]).toEqual([noun, 204]);
  }
});

test('guests see that inventories and environments exist, not what is in them', async () => {
  const seed = await seedProject(app.admin, null);
  const params = { project_id: seed.projectId };
  const { inventoryId: inventory_id, environmentId: environment_id } = seed;
  const body = { name: 'Variables', json: '{"a": "hidden"}', env: '{"B": "hidden"}' };
  await app.admin.call(environments.update, { params: { ...params, environment_id }, body });
  const everything = async (caller: Caller) =>
    JSON.stringify([
      await caller.call(inventories.list, { params }),
      await caller.call(inventories.one, { params: { ...params, inventory_id } }),
      await caller.call(environments.list, { params }),
      await caller.call(environments.one, { params: { ...params, environment_id } }),
    ]);
  for (const role of ['owner', 'manager', 'task_runner'] as const) {
    const seen = await everything(await app.member(seed.projectId, role));
    expect(seen.split('hidden')).toHaveLength(5);
    expect(seen.split('ansible_connection=local')).toHaveLength(3);
  }
  const seen = await everything(await app.member(seed.projectId, 'guest'));
  expect(seen).toContain('"name":"Hosts"');
  expect(seen).toContain('"name":"Variables"');
  expect(seen).not.toMatch(/hidden|ansible_connection/);
});

test('no row of one project can name a row of another, not even in the database', async () => {
  const [ours, theirs] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  const update = app.ctx.db
    .updateTable('repositories')
    .set({ ssh_key_id: theirs.keyId })
    .where('id', '=', ours.repositoryId)
    .execute();
  await expect(update).rejects.toThrow(/foreign key/i);
});
