// Runners of one project: who manages them, and that they get no task of another project.

import { describe, expect, test } from 'vitest';
import { runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { projectRunners, runners } from '#shared/api/runners.ts';
import { newToken, tokens } from '#shared/api/tokens.ts';
import { takeTask, listDue } from '../src/server/automation/tasks/queue/queue.store.ts';
import { cleaningOf } from '../src/server/runners/administration.ts';
import { type Caller, testApp, type TestApp } from './helpers/app.ts';
import { publicKey } from './helpers/runner-caller.ts';
import { round, startTagged, waitingFor } from './helpers/runners.ts';
import { seedProject, type Seed } from './helpers/seed.ts';

/** Makes an available runner of this project. */
async function ownRunner(
  { ctx }: TestApp,
  caller: Caller,
  seed: Seed,
  fields: { tags?: string[]; max_parallel_tasks?: number } = {},
): Promise<number> {
  const params = { project_id: seed.projectId };
  const body = { name: 'Own', ...fields };
  const { id } = await caller.call(projectRunners.create, { params, body });
  await present(ctx, id);
  return id;
}

async function present({ db }: TestApp['ctx'], id: number): Promise<void> {
  const here = { credential: `c${id}`, closed: 0 as const, last_seen: '2999-01-01T00:00:00.000Z' };
  await db
    .updateTable('runners')
    .set({ ...here, max_parallel_tasks: 5 })
    .where('id', '=', id)
    .execute();
}

describe('a runner of a project', () => {
  test('is given its tasks, and never one of another project', async () => {
    const app = await testApp({ config: { role: 'web' } });
    const [mine, other] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
    const own = await ownRunner(app, app.admin, mine);
    const foreign = await startTagged(app, other, []);
    expect(await round(app)).toEqual([]);
    expect(await waitingFor(app, foreign)).toEqual(['runner', null, null]);
    // Tasks of others that wait before them delay none of its own tasks.
    const tasks = [await startTagged(app, mine, []), await startTagged(app, mine, [])];
    expect(await round(app)).toEqual(tasks.map(({ id }) => [id, own]));
    // The statement that takes a task refuses them too.
    const { db } = app.ctx;
    const now = '2999-01-01T00:00:00.000Z';
    const rooms = {
      fullKinds: ['container' as const],
      fullProjects: [],
      fullTags: [],
      ownRunners: [],
    };
    const [due] = await listDue(db, { now, after: 0, limit: 10, ...rooms });
    expect(due?.id).toBe(foreign.id);
    if (!due) return;
    const move = { to: 'starting', start: now, runnerId: own, runnerName: 'Own' } as const;
    expect(await takeTask(db, due, move)).toBeNull();
    const { runnerId } = {
      runnerId: (await app.admin.call(runners.create, { body: { name: 'All' } })).id,
    };
    await present(app.ctx, runnerId);
    expect(await round(app)).toEqual([[foreign.id, runnerId]]);
  });

  test('does not hear which other projects there are', async () => {
    const app = await testApp({ config: { role: 'web' } });
    const [mine, other] = [await seedProject(app.admin), await seedProject(app.admin)];
    const params = { project_id: mine.projectId };
    const body = { name: 'Own', tags: [], max_parallel_tasks: 1 };
    const { token } = await app.admin.call(projectRunners.create, { params, body });
    const entry = { token, public_key: publicKey, version: '1', max_parallel_tasks: 1 };
    const { credential } = await app.nobody.call(runnerApiEndpoints.register, { body: entry });
    const template = await other.template();
    const places = (projectId: number, templateId: number) => ({
      projects: [projectId],
      homes: [projectId],
      states: [{ project_id: projectId, template_id: templateId }],
    });
    const ask = async (found: ReturnType<typeof places>) => {
      const call = { body: { ...found, mirrors: [] } };
      const {
        installation: _id,
        mirrors: _none,
        ...kept
      } = await app.withToken(credential).call(runnerApiEndpoints.filterExisting, call);
      return kept;
    };
    const [there, nowhere] = [places(other.projectId, template.id), places(987_654, 987_654)];
    expect([await ask(there), await ask(nowhere)]).toEqual([there, nowhere]);
    const own = places(mine.projectId, 987_654);
    expect(await ask(own)).toEqual({ projects: own.projects, homes: [], states: [] });
  });

  test('is asked for by its tags, of which others of the project know', async () => {
    const app = await testApp({ config: { role: 'web' } });
    const [mine, other] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
    const own = await ownRunner(app, app.admin, mine, { tags: ['lab'], max_parallel_tasks: 1 });
    const foreign = await startTagged(app, other, ['lab']);
    const [first, second] = [
      await startTagged(app, mine, ['lab']),
      await startTagged(app, mine, ['lab']),
    ];
    expect(await round(app)).toEqual([[first.id, own]]);
    expect(await waitingFor(app, foreign)).toEqual(['runner', ['lab'], null]);
    expect(await waitingFor(app, second)).toEqual(['server', null, 1]);
    const tagsOf = (seed: Seed) =>
      app.admin.call(projectRunners.tags, { params: { project_id: seed.projectId } });
    expect(await tagsOf(mine)).toEqual([{ tag: 'lab', number_of_runners: 1 }]);
    expect(await tagsOf(other)).toEqual([]);
    expect(await app.admin.call(runners.tags, {})).toEqual([{ tag: 'lab', number_of_runners: 1 }]);
  });
});

test('the owner of a project manages its runners and sees no others', async () => {
  const app = await testApp();
  const [mine, other] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  const owner = await app.member(mine.projectId, 'owner');
  const params = { project_id: mine.projectId };
  const body = { name: 'Own', tags: ['dmz'], max_parallel_tasks: 3, active: false, webhook: '' };
  const made = await owner.call(projectRunners.create, { params, body });
  expect(made).toMatchObject({
    project_id: mine.projectId,
    name: 'Own',
    tags: ['dmz'],
    max_parallel_tasks: 3,
    slots: 3,
    active: false,
    draining: true,
    registered: false,
    touched: null,
    webhook: '',
    state: 'new',
    token: expect.stringMatching(/^sbr_/) as string,
  });
  const foreign = await app.admin.call(projectRunners.create, {
    params: { project_id: other.projectId },
    body: { name: 'Foreign' },
  });
  const all = await app.admin.call(runners.create, { body: { name: 'All' } });
  const list = await owner.call(projectRunners.list, { params });
  expect(list.map(({ name }) => name)).toEqual(['Own']);
  for (const { id } of [foreign, all]) {
    const at = { params: { ...params, runner_id: id } };
    const answers = [
      await owner.ask(projectRunners.one, at),
      await owner.ask(projectRunners.update, { ...at, body: { draining: true } }),
      await owner.ask(projectRunners.renewToken, at),
      await owner.ask(projectRunners.remove, at),
    ];
    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(
      answers.map(() => [404, 'runner.not_found']),
    );
  }
  const at = { params: { ...params, runner_id: made.id } };
  await owner.call(projectRunners.switch, { ...at, body: { active: true } });
  const again = await owner.call(projectRunners.registrationToken, at);
  expect(again).toMatchObject({
    registration_token: expect.stringMatching(/^sbr_/) as string,
    runner_id: made.id,
    project_id: mine.projectId,
  });
  expect(await owner.call(projectRunners.one, at)).toMatchObject({ active: true, tags: ['dmz'] });
  const manager = await app.member(mine.projectId, 'manager');
  expect((await manager.ask(projectRunners.create, { params, body })).status).toBe(403);
  expect((await manager.call(projectRunners.one, at)).name).toBe('Own');
  await owner.call(projectRunners.remove, at);
  expect((await owner.ask(projectRunners.one, at)).status).toBe(404);
});

test('hears that it is to clear what it keeps, from who manages it', async () => {
  const app = await testApp({ config: { role: 'web' } });
  const [mine, other] = [await seedProject(app.admin, null), await seedProject(app.admin, null)];
  const owner = await app.member(mine.projectId, 'owner');
  const params = { project_id: mine.projectId };
  const { id } = await owner.call(projectRunners.create, { params, body: { name: 'Own' } });
  const at = { params: { ...params, runner_id: id } };
  expect(await cleaningOf(app.ctx, id)).toBeNull();
  const foreign = { params: { project_id: other.projectId, runner_id: id } };
  expect((await app.admin.ask(projectRunners.clearCache, foreign)).status).toBe(404);
  const manager = await app.member(mine.projectId, 'manager');
  expect((await manager.ask(projectRunners.clearCache, at)).status).toBe(403);
  expect((await owner.call(projectRunners.one, at)).cleaning_requested).toBeNull();
  await owner.call(projectRunners.clearCache, at);
  const first = await cleaningOf(app.ctx, id);
  expect(first).toMatch(/Z$/);
  expect((await owner.call(projectRunners.one, at)).cleaning_requested).toBe(first);
  app.clock.advance(1000);
  await app.admin.call(runners.clearCache, { params: { runner_id: id } });
  const second = await cleaningOf(app.ctx, id);
  expect(Date.parse(second ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
});

test('goes with its project', async () => {
  const app = await testApp();
  const { projectId } = await seedProject(app.admin, null);
  const params = { project_id: projectId };
  const { id } = await app.admin.call(projectRunners.create, { params, body: { name: 'Own' } });
  await app.admin.raw({ method: 'DELETE', url: `/api/project/${projectId}` });
  const gone = await app.admin.ask(runners.one, { params: { runner_id: id } });
  expect(gone.status).toBe(404);
});

test('a token with all rights of an administrator makes runners, as it makes users', async () => {
  const app = await testApp();
  const { token } = await app.admin.call(tokens.create, { body: newToken.parse({}) });
  const program = app.withToken(token);
  const made = await program.call(runners.create, { body: { name: 'Far away' } });
  const params = { runner_id: made.id };
  expect((await program.call(runners.registrationToken, { params })).project_id).toBeNull();
  const { token: reading } = await app.admin.call(tokens.create, {
    body: newToken.parse({ scope: 'read' }),
  });
  const reader = app.withToken(reading);
  expect((await reader.ask(runners.create, { body: { name: 'x' } })).status).toBe(403);
  expect((await reader.call(runners.one, { params })).name).toBe('Far away');
});

describe('a runner', () => {
  test('is changed as a whole object, in either form', async () => {
    const app = await testApp();
    const made = await app.admin.call(runners.create, { body: { name: 'Far away', tags: ['a'] } });
    const params = { runner_id: made.id };
    const read = () => app.admin.call(runners.one, { params });
    const one = await read();
    const write = (body: object) => app.admin.ask(runners.update, { params, body });
    expect((await write({ ...one, active: false })).status).toBe(204);
    expect(await read()).toEqual({
      ...one,
      active: false,
      draining: true,
      last_seen: expect.anything() as string,
      touched: null,
    });
    const { active: _off, ...drained } = await read();
    expect((await write({ ...drained, draining: false })).status).toBe(204);
    expect(await read()).toMatchObject({ active: true, draining: false });
    // Without `draining` and `active` in the body, both keep their values.
    await write({ active: false });
    expect((await write({ name: 'Renamed', max_parallel_tasks: 2 })).status).toBe(204);
    expect(await read()).toMatchObject({ name: 'Renamed', slots: 2, active: false, tags: ['a'] });
    const webhook = await write({ webhook: 'https://example.com/x' });
    expect(webhook.body.fields).toMatchObject([{ path: 'webhook', code: 'runner.webhook' }]);
    expect((await write({ active: 'yes' })).body.fields).toMatchObject([
      { path: 'active', code: 'field.type' },
    ]);
  });

  test('that is the only server is read and written back, and otherwise left to its settings', async () => {
    // On the other engine every server has a row.
    const app = await testApp({ engine: 'sqlite', config: { runnerTags: ['dmz'] } });
    const [only] = await app.admin.call(runners.list, {});
    if (!only) throw new Error('there is no server');
    const params = { runner_id: only.id };
    const own = await app.admin.call(runners.one, { params });
    const write = (body: object) => app.admin.ask(runners.update, { params, body });
    expect((await write(own)).status).toBe(204);
    expect((await write({ tags: [] })).body.code).toBe('runner.tags_by_setting');
    expect((await write({ name: 'Other' })).body.fields).toMatchObject([
      { path: 'name', code: 'runner.by_setting' },
    ]);
    expect((await write({ active: false })).body.code).toBe('runner.always_active');
  });
});
