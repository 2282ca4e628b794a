import { describe, expect, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { repositories } from '#shared/api/repositories.ts';
import { schedules, type Schedule } from '#shared/api/schedules.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedSchedules } from '../../../../test/helpers/schedules.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { until } from '../../../../test/helpers/until.ts';

async function start() {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const made = await seedSchedules(app, null);
  const { params } = made;
  const of = ({ id }: Pick<Schedule, 'id'>) => ({ ...params, schedule_id: id });
  const unsaid = { template_id: made.templateId, cron_format: '0 3 * * *' };
  const body = { ...unsaid, active: true };
  const change = (schedule: Schedule, fields: object) =>
    app.admin.call(schedules.update, { params: of(schedule), body: { ...unsaid, ...fields } });
  return { app, ...made, of, body, change };
}

describe('schedules', () => {
  test('are created, read, changed and deleted', async () => {
    const { app, seed, params, of, body, change, read, templateId } = await start();
    const plain = await app.admin.call(schedules.create, { params, body });
    expect(plain).toMatchObject({ name: '', time_zone: app.ctx.config.zone.name, active: true });
    const fields = {
      ...body,
      name: ' Nightly ',
      time_zone: 'America/New_York',
      repository_id: seed.repositoryId,
      missed: 'run',
    } as const;
    const made = await app.admin.call(schedules.create, { params, body: fields });
    expect(made).toEqual({
      ...fields,
      ...params,
      id: made.id,
      name: 'Nightly',
      tpl_name: 'Template 1',
      workflow_id: null,
      workflow_name: null,
      active: true,
      type: '',
      run_at: null,
      delete_after_run: false,
      task_params: null,
      next_due: '2026-05-02T07:00:00.000Z',
      last_fire: null,
    });
    expect(await read(made)).toEqual(made);

    const other = await seed.template({ name: 'Other' });
    const hourly = { ...params, template_id: other.id, cron_format: '@hourly' };
    await change(made, { id: made.id, ...hourly, active: true });
    expect(await read(made)).toEqual({
      ...made,
      template_id: other.id,
      tpl_name: 'Other',
      name: '',
      cron_format: '@hourly',
      repository_id: null,
      next_due: '2026-05-01T11:00:00.000Z',
    });
    await change(made, { template_id: templateId, time_zone: 'UTC', missed: 'skip' });
    expect(await read(made)).toMatchObject({
      time_zone: 'UTC',
      missed: 'skip',
      active: false,
      next_due: null,
    });
    await app.admin.call(schedules.remove, { params: of(made) });
    const gone = [
      await app.admin.ask(schedules.one, { params: of(made) }),
      await app.admin.ask(schedules.update, { params: of(made), body }),
      await app.admin.ask(schedules.switch, { params: of(made), body: { active: true } }),
      await app.admin.ask(schedules.fires, { params: of(made) }),
      await app.admin.ask(schedules.remove, { params: of(made) }),
    ];
    for (const { status, body: error } of gone) {
      expect([status, error.code]).toEqual([404, 'schedule.not_found']);
    }
  });

  test('are listed by name or id; those of a template have no name or ask a repository', async () => {
    const { app, seed, params, create, templateId } = await start();
    const other = await seed.template();
    const b = await create({ name: 'B' });
    const a = await create({ name: 'A', repository_id: seed.repositoryId });
    const empty = await create();
    const elsewhere = await create({ name: 'A', template_id: other.id });
    const list = async (query: object) =>
      (await app.admin.call(schedules.list, { params, query })).map(({ id }) => id);
    expect(await list({})).toEqual([empty.id, a.id, elsewhere.id, b.id]);
    expect(await list({ sort: 'id', order: 'desc', limit: 2 })).toEqual([elsewhere.id, empty.id]);
    expect(await list({ template_id: other.id })).toEqual([elsewhere.id]);
    const ofTemplate = { ...params, template_id: templateId };
    const own = await app.admin.call(schedules.ofTemplate, { params: ofTemplate });
    expect(own.map(({ id }) => id)).toEqual([empty.id, a.id]);
    const none = { ...params, template_id: 999_999 };
    const refused = await app.admin.ask(schedules.ofTemplate, { params: none });
    expect(refused.body.code).toBe('template.not_found');
  });

  test('are listed by when they are due, those that are not active last', async () => {
    const { app, params, create } = await start();
    const off = await create({ active: false });
    const late = await create({ cron_format: '0 0 1 1 *', time_zone: 'UTC' });
    const soon = await create({ cron_format: '* * * * *', time_zone: 'UTC' });
    const query = { sort: 'next_due' } as const;
    const list = await app.admin.call(schedules.list, { params, query });
    expect(list.map(({ id }) => id)).toEqual([soon.id, late.id, off.id]);
  });

  test('are due only while they are active', async () => {
    const { app, create, read, change, of } = await start();
    const off = await create({ active: false });
    expect(off.next_due).toBeNull();
    const turn = (active: boolean) =>
      app.admin.call(schedules.switch, { params: of(off), body: { active } });
    await turn(true);
    expect((await read(off)).next_due).toBe('2026-05-01T10:01:00.000Z');
    await turn(false);
    expect(await read(off)).toMatchObject({ active: false, next_due: null });
    await change(off, { name: 'Still off' });
    expect(await read(off)).toMatchObject({ name: 'Still off', active: false, next_due: null });
    await change(off, { active: true, time_zone: 'UTC' });
    expect((await read(off)).next_due).toBe('2026-05-02T03:00:00.000Z');
  });

  test('go with their template and their project, and keep the repository they ask', async () => {
    const { app, seed, params, create, of } = await start();
    const copy = {
      name: 'Copy',
      git_url: 'https://example.com/code.git',
      git_branch: 'main',
      ssh_key_id: seed.keyId,
    };
    const { id } = await app.admin.call(repositories.create, { params, body: copy });
    const repository = { params: { ...params, repository_id: id } };
    const named = await create({ name: 'Named', repository_id: id });
    const own = await create({ repository_id: id });
    const refs = await app.admin.call(repositories.refs, repository);
    expect(refs.schedules).toEqual([
      { id: named.id, name: 'Named' },
      { id: own.id, name: 'Template 1' },
    ]);
    const refused = await app.admin.ask(repositories.remove, repository);
    expect([refused.body.code, refused.body.inUse]).toEqual(['repository.in_use', true]);
    expect(refused.body.error).toContain('schedule "Named", schedule "Template 1"');
    await app.admin.call(templates.remove, {
      params: { ...params, template_id: own.template_id ?? 0 },
    });
    expect((await app.admin.ask(schedules.one, { params: of(own) })).status).toBe(404);
    await app.admin.call(repositories.remove, repository);
    const last = await seed.template();
    await create({ template_id: last.id, repository_id: seed.repositoryId });
    await app.admin.call(projects.remove, { params });
    expect(await app.ctx.db.selectFrom('schedules').selectAll().execute()).toEqual([]);
  });

  test('a stale copy is refused, one without a version served', async () => {
    const { app, of, create, body, read } = await start();
    const made = await create();
    const { headers } = await app.admin.ask(schedules.one, { params: of(made) });
    const ifMatch = String(headers['etag']);
    const put = (version?: string) =>
      app.admin.ask(schedules.update, {
        params: of(made),
        body: { ...body, name: 'Changed' },
        ifMatch: version,
      });
    expect((await put(ifMatch)).status).toBe(204);
    const stale = await put(ifMatch);
    expect([stale.status, stale.body.code]).toEqual([409, 'request.stale']);
    expect((await put()).status).toBe(204);
    expect((await read(made)).name).toBe('Changed');
  });
});

test('a cron text is checked, and its next times told', async () => {
  const { app, params, create, of } = await start();
  const ask = (body: object) =>
    app.admin.ask(schedules.validate, { params, body: { cron_format: '', ...body } });
  const good = await ask({ cron_format: '30 2 * * *', time_zone: 'Europe/Berlin' });
  expect(good.body.next).toHaveLength(5);
  expect(good.body).toMatchObject({ time_zone: 'Europe/Berlin' });
  expect(good.body.next[0]).toBe('2026-05-02T00:30:00.000Z');
  const two = await ask({ cron_format: '@daily', count: 2 });
  expect([two.body.next.length, two.body.time_zone]).toEqual([2, app.ctx.config.zone.name]);
  const made = await create();
  const faults = [
    ['* * * *', 'schedule.cron_fields'],
    ['61 * * * *', 'schedule.cron_minute'],
    ['* 24 * * *', 'schedule.cron_hour'],
    ['* * 32 * *', 'schedule.cron_day'],
    ['* * * 0 *', 'schedule.cron_month'],
    ['* * * * 8', 'schedule.cron_weekday'],
    ['0 0 31 2 *', 'schedule.cron_never'],
    ['', 'field.required'],
  ];
  for (const [cron_format = '', code] of faults) {
    const body = { template_id: made.template_id, cron_format };
    const refused = [
      await ask({ cron_format }),
      await app.admin.ask(schedules.create, { params, body }),
      await app.admin.ask(schedules.update, { params: of(made), body }),
    ];
    for (const { status, body: error } of refused) {
      expect([status, error.code]).toEqual([400, 'request.invalid']);
      expect(error.fields).toMatchObject([{ path: 'cron_format', code }]);
      expect(error.error).toMatch(/^Cron: [A-Z]/);
    }
  }
  expect((await ask({ cron_format: '61 * * * *' })).body.error).toBe(
    'Cron: The minute "61" is not valid',
  );
  const zone = await ask({ cron_format: '@daily', time_zone: '+02:00' });
  expect(zone.body.fields).toMatchObject([
    { path: 'time_zone', code: 'schedule.time_zone_unknown' },
  ]);
});

test('an id of another address is refused, and names have a length', async () => {
  const { app, params, of, create, body } = await start();
  const made = await create();
  const other = await seedProject(app.admin, null);
  const put = (fields: object) =>
    app.admin.ask(schedules.update, { params: of(made), body: { ...body, ...fields } });
  const wrong: [object, string][] = [
    [{ id: made.id + 1 }, 'id'],
    [{ project_id: other.projectId }, 'project_id'],
    [{ name: 'x'.repeat(101) }, 'name'],
  ];
  for (const [fields, path] of wrong) {
    const { status, body: error } = await put(fields);
    expect([status, error.fields?.[0]?.path]).toEqual([400, path]);
  }
  const foreign = { ...of(made), project_id: other.projectId };
  expect((await app.admin.ask(schedules.one, { params: foreign })).status).toBe(404);
  expect((await put({ name: 'x'.repeat(100) })).status).toBe(204);
  expect((await app.admin.ask(schedules.create, { params, body })).status).toBe(201);
});

test('who may not change resources changes no schedule', async () => {
  const { app, params, of, create, body } = await start();
  const made = await create();
  const runner = await app.member(params.project_id, 'task_runner');
  const refused = [
    await runner.ask(schedules.create, { params, body }),
    await runner.ask(schedules.update, { params: of(made), body }),
    await runner.ask(schedules.switch, { params: of(made), body: { active: false } }),
    await runner.ask(schedules.remove, { params: of(made) }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await runner.ask(schedules.one, { params: of(made) })).body.active).toBe(true);
});

test('each change is recorded and told to those who look', async () => {
  const { app, of, create, change } = await start();
  const told: string[] = [];
  app.ctx.hub.subscribe('resource.changed', ({ noun }) => void told.push(noun));
  const made = await create({ name: 'Nightly' });
  await change(made, { name: 'Weekly' });
  for (const active of [false, true]) {
    await app.admin.call(schedules.switch, { params: of(made), body: { active } });
  }
  await app.admin.call(schedules.remove, { params: of(made) });
  await create();
  const events = await app.ctx.db
    .selectFrom('events')
    .select(['code', 'object_name', 'user_id'])
    .where('object_type', '=', 'schedule')
    .orderBy('id')
    .execute();
  expect(events.map(({ code, object_name }) => [code, object_name])).toEqual([
    ['schedule.created', 'Nightly'],
    ['schedule.changed', 'Weekly'],
    ['schedule.switched_off', 'Weekly'],
    ['schedule.switched_on', 'Weekly'],
    ['schedule.deleted', 'Weekly'],
    ['schedule.created', 'Template 1'],
  ]);
  expect(new Set(events.map(({ user_id }) => user_id))).toEqual(new Set([app.admin.userId]));
  await until(() => told.filter((noun) => noun === 'schedules').length === 6);
});
