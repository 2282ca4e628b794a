import { describe, expect, test } from 'vitest';
import { templates } from '#shared/api/templates.ts';
import { views } from '#shared/api/views.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';

async function start() {
  const { app, seed, params } = await appWithProject(null);
  const of = (view_id: number) => ({ ...params, view_id });
  const create = (title: string) => app.admin.call(views.create, { params, body: { title } });
  const titles = async () =>
    (await app.admin.call(views.list, { params })).map(({ title }) => title);
  return { app, seed, params, of, create, titles };
}

describe('views', () => {
  test('are created behind the others, read, changed and deleted', async () => {
    const { app, params, of, create, titles } = await start();
    const first = await create(' Web ');
    expect(first).toEqual({ ...params, id: first.id, title: 'Web', position: 0 });
    const second = await create('Data');
    expect(second.position).toBe(1);
    expect(await app.admin.call(views.one, { params: of(second.id) })).toEqual(second);

    const body = { id: second.id, ...params, title: 'Databases' };
    await app.admin.call(views.update, { params: of(second.id), body });
    expect(await titles()).toEqual(['Web', 'Databases']);
    const front = { title: 'Web', position: 7 };
    await app.admin.call(views.update, { params: of(first.id), body: front });
    expect(await titles()).toEqual(['Databases', 'Web']);
    expect((await create('Last')).position).toBe(8);

    await app.admin.call(views.remove, { params: of(first.id) });
    expect(await titles()).toEqual(['Databases', 'Last']);
    const gone = [
      await app.admin.ask(views.one, { params: of(first.id) }),
      await app.admin.ask(views.update, { params: of(first.id), body: front }),
      await app.admin.ask(views.remove, { params: of(first.id) }),
      await app.admin.ask(templates.ofView, { params: of(first.id) }),
    ];
    for (const { status, body: error } of gone) {
      expect([status, error.code]).toEqual([404, 'view.not_found']);
    }
  });

  test('have a title that no other view of the project has', async () => {
    const { app, params, of, create } = await start();
    await create('Web');
    const other = await create('x'.repeat(100));
    const body = { title: 'Web' };
    const refused = [
      await app.admin.ask(views.create, { params, body }),
      await app.admin.ask(views.update, { params: of(other.id), body }),
    ];
    for (const { status, body: error } of refused) {
      expect([status, error.code, error.params]).toEqual([409, 'view.title_taken', body]);
    }
    const elsewhere = { project_id: (await seedProject(app.admin, null)).projectId };
    expect((await app.admin.ask(views.create, { params: elsewhere, body })).status).toBe(201);
  });

  test('take their places together, or none of them does', async () => {
    const { app, params, of, create, titles } = await start();
    const [a, b, c] = [await create('A'), await create('B'), await create('C')];
    const etag = async () => (await app.admin.ask(views.one, { params: of(a.id) })).headers['etag'];
    const before = await etag();
    const place = (positions: Record<string, number>) =>
      app.admin.ask(views.place, { params, body: positions });
    expect((await place({ [a.id]: 2, [b.id]: 0, [c.id]: 1 })).status).toBe(204);
    expect(await titles()).toEqual(['B', 'C', 'A']);
    expect(await etag()).toBe(before);
    expect((await place({})).status).toBe(204);

    const other = await seedProject(app.admin, null);
    const theirs = await app.admin.call(views.create, {
      params: { project_id: other.projectId },
      body: { title: 'Theirs' },
    });
    const refused = await place({ [a.id]: 0, [theirs.id]: 5, 999999: 1 });
    expect(refused.status).toBe(400);
    expect(refused.body.fields?.map(({ path, code }) => [path, code])).toEqual([
      [String(theirs.id), 'field.reference'],
      ['999999', 'field.reference'],
    ]);
    for (const wrong of [{ [a.id]: -1 }, { [a.id]: 0.5 }, { one: 1 }, { 0: 1 }, { '01': 1 }]) {
      expect([wrong, (await place(wrong)).status]).toEqual([wrong, 400]);
    }
    expect(await titles()).toEqual(['B', 'C', 'A']);
    const untouched = { project_id: other.projectId, view_id: theirs.id };
    expect((await app.admin.call(views.one, { params: untouched })).position).toBe(0);
  });

  test('list their templates, in the order asked for, and let them go when deleted', async () => {
    const { app, seed, params, of, create } = await start();
    const [web, data] = [await create('Web'), await create('Data')];
    const [one, two] = [
      await seed.template({ name: 'One', view_id: web.id, vault_key_id: seed.keyId }),
      await seed.template({ name: 'Two', view_id: web.id }),
    ];
    const three = await seed.template({ name: 'Three', view_id: data.id });
    const names = async (view_id: number, query = {}) =>
      (await app.admin.call(templates.ofView, { params: of(view_id), query })).map(
        ({ name }) => name,
      );
    expect(await names(web.id)).toEqual(['One', 'Two']);
    expect(await names(web.id, { sort: 'playbook', order: 'desc' })).toEqual(['Two', 'One']);
    expect(await names(web.id, { limit: 1 })).toEqual(['One']);
    const [shown] = await app.admin.call(templates.ofView, { params: of(web.id) });
    expect(shown).toEqual(one);

    await app.admin.call(views.remove, { params: of(web.id) });
    const viewOf = async (template_id: number) =>
      (await app.admin.call(templates.one, { params: { ...params, template_id } })).view_id;
    expect([await viewOf(one.id), await viewOf(two.id)]).toEqual([null, null]);
    expect(await viewOf(three.id)).toBe(data.id);
  });

  test('of another project are out of reach', async () => {
    const { app, of, create } = await start();
    const other = await seedProject(app.admin, null);
    const theirs = await app.admin.call(views.create, {
      params: { project_id: other.projectId },
      body: { title: 'Theirs' },
    });
    await create('Ours');
    const params = of(theirs.id);
    const answers = [
      await app.admin.ask(views.one, { params }),
      await app.admin.ask(views.update, { params, body: { title: 'Taken' } }),
      await app.admin.ask(views.remove, { params }),
      await app.admin.ask(templates.ofView, { params }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([404, 'view.not_found']);
    }
    const moved = { title: 'Theirs', project_id: params.project_id } as { title: string };
    const there = { project_id: other.projectId, view_id: theirs.id };
    const refused = await app.admin.ask(views.update, { params: there, body: moved });
    expect(refused.body.fields).toMatchObject([{ path: 'project_id', code: 'field.mismatch' }]);
    expect(await app.admin.call(views.one, { params: there })).toEqual(theirs);
  });
});

test('a view is refused in the words of the field that is wrong', async () => {
  const { app, params } = await start();
  const cases: [body: object, path: string, code: string][] = [
    [{ title: '' }, 'title', 'view.title_required'],
    [{ title: '  ' }, 'title', 'view.title_required'],
    [{}, 'title', 'view.title_required'],
    [{ title: 'x'.repeat(101) }, 'title', 'field.too_long'],
    [{ title: 'a\nb' }, 'title', 'field.control_characters'],
    [{ title: 'a', project_id: params.project_id + 1 }, 'project_id', 'field.mismatch'],
  ];
  for (const [body, path, code] of cases) {
    const answer = await app.admin.ask(views.create, { params, body: body as { title: string } });
    expect([body, answer.status]).toEqual([body, 400]);
    expect(answer.body.fields).toMatchObject([{ path, code }]);
  }
  const empty = await app.admin.ask(views.create, { params, body: { title: '' } });
  expect(empty.body.fields?.[0]?.message).toBe('Title is required');
});

test('an older copy of a view does not overwrite a newer one', async () => {
  const { app, of, create } = await start();
  const { id } = await create('Web');
  const change = (title: string, ifMatch: string) =>
    app.admin.ask(views.update, { params: of(id), body: { title }, ifMatch });
  const etag = String((await app.admin.ask(views.one, { params: of(id) })).headers['etag']);
  expect((await change('Two', etag)).status).toBe(204);
  const stale = await change('Three', etag);
  expect([stale.status, stale.body.code]).toEqual([409, 'request.stale']);
});

test('whoever follows the project is told what changed', async () => {
  const { app, seed, params, of, create } = await start();
  const told: string[] = [];
  app.ctx.hub.subscribe('resource.changed', ({ noun }) => {
    if (noun !== 'events') told.push(noun);
  });
  const { id } = await create('Web');
  await app.admin.call(views.update, { params: of(id), body: { title: 'Two' } });
  await app.admin.call(views.place, { params, body: { [id]: 3 } });
  expect(told).toEqual(['views', 'views', 'views']);
  await seed.template({ view_id: id });
  await app.admin.call(views.remove, { params: of(id) });
  expect(told.slice(-2)).toEqual(['templates', 'views']);
});
