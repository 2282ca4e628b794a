// Which runner a task may go to, by the tags of both.

import { describe, expect, test } from 'vitest';
import { projects } from '#shared/api/projects.ts';
import { tasks } from '#shared/api/tasks.ts';
import { templates } from '#shared/api/templates.ts';
import { testApp } from '../../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../../test/helpers/app-with-project.ts';
import {
  addRunner,
  changeTags,
  round,
  startTagged,
  waitingFor,
} from '../../../../../test/helpers/runners.ts';
import { seedProject } from '../../../../../test/helpers/seed.ts';
import { claimNext, presentRunner, readTask } from '../../../../../test/helpers/tasks.ts';
import {
  listRunnerCapacities,
  capacitiesFor,
  type RunnerCapacity,
} from '../../../runners/runner-capacity.ts';
import type { ListPlaces } from '../admission/admission.ts';
import { endTask } from '../move-task.ts';

describe('tags', () => {
  test('a server with tags runs what asks for some of them, and nothing else', async () => {
    const app = await testApp({ config: { runnerTags: ['dmz', 'gpu'] } });
    await presentRunner(app.ctx);
    const seed = await seedProject(app.admin, null);
    const plain = await startTagged(app, seed, []);
    const one = await startTagged(app, seed, ['dmz']);
    const both = await startTagged(app, seed, ['dmz', 'gpu']);
    const more = await startTagged(app, seed, ['dmz', 'lab']);
    expect(plain.waiting_for).toMatchObject({ reason: 'runner', tags: [] });
    expect(more.waiting_for).toMatchObject({ reason: 'runner', tags: ['dmz', 'lab'] });
    expect([one.waiting_for, both.waiting_for]).toEqual([null, null]);
    expect((await claimNext(app.ctx))?.id).toBe(one.id);
    expect((await claimNext(app.ctx))?.id).toBe(both.id);
    expect(await claimNext(app.ctx)).toBeNull();
    // They are read when a runner is chosen.
    await changeTags(app, more, ['gpu']);
    expect((await claimNext(app.ctx))?.id).toBe(more.id);
    expect(await claimNext(app.ctx)).toBeNull();
  });

  test('a server without tags leaves to others what asks for some', async () => {
    const app = await testApp();
    await presentRunner(app.ctx);
    const seed = await seedProject(app.admin, null);
    const asks = await startTagged(app, seed, ['dmz']);
    const plain = await startTagged(app, seed, []);
    expect((await claimNext(app.ctx))?.id).toBe(plain.id);
    expect(await claimNext(app.ctx)).toBeNull();
    expect(await waitingFor(app, asks)).toEqual(['runner', ['dmz'], null]);
    const list = await app.admin.call(tasks.list, { params: { project_id: seed.projectId } });
    expect(list.map((task) => task.waiting_for?.tags)).toEqual([undefined, ['dmz']]);
  });

  test('a template without tags has those of its project', async () => {
    const app = await testApp({ config: { runnerTags: ['dmz'] } });
    await presentRunner(app.ctx);
    const seed = await seedProject(app.admin, null);
    const own = await startTagged(app, seed, ['gpu']);
    const inherits = await startTagged(app, seed, []);
    expect(inherits.waiting_for).toMatchObject({ reason: 'runner', tags: [] });
    const params = { project_id: seed.projectId };
    const { name } = await app.admin.call(projects.one, { params });
    await app.admin.call(projects.update, { params, body: { name, runner_tags: ['dmz'] } });
    expect((await claimNext(app.ctx))?.id).toBe(inherits.id);
    expect(await claimNext(app.ctx)).toBeNull();
    expect(await waitingFor(app, own)).toEqual(['runner', ['gpu'], null]);
  });

  test('what has no place holds nobody up, however much of it waits', async () => {
    const app = await testApp();
    const [plain, dmz] = [await addRunner(app, [], 1), await addRunner(app, ['dmz'], 2)];
    const seed = await seedProject(app.admin, null);
    const lost = await startTagged(app, seed, ['absent']);
    const row = await app.ctx.db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
    const { id: _id, ...copy } = row;
    for (let count = 0; count < 5; count += 1) {
      const rows = Array.from({ length: 50 }, () => copy);
      await app.ctx.db.insertInto('tasks').values(rows).execute();
    }
    const tagged = [];
    for (let count = 0; count < 3; count += 1) tagged.push(await startTagged(app, seed, ['dmz']));
    const others = [await startTagged(app, seed, []), await startTagged(app, seed, [])];
    const [first, second, third] = tagged.map(({ id }) => id);
    expect(await round(app)).toEqual([
      [first, dmz],
      [second, dmz],
      [others[0]?.id, plain],
    ]);
    expect(await round(app)).toEqual([]);
    await endTask(app.ctx, { id: first ?? 0, project_id: seed.projectId }, 'error');
    expect(await round(app)).toEqual([[third, dmz]]);
    expect((await app.ctx.db.selectFrom('tasks').select('id').execute()).length).toBe(256);
    expect(lost.status).toBe('waiting');
  });

  test('what has begun goes on at its runner, whatever its template asks for by now', async () => {
    const app = await testApp();
    const dmz = await addRunner(app, ['dmz'], 2);
    await addRunner(app, ['gpu'], 2);
    const seed = await seedProject(app.admin, null);
    const task = await startTagged(app, seed, ['gpu']);
    const begun = { status: 'confirmed' as const, step: 1, runner_id: dmz };
    await app.ctx.db.updateTable('tasks').set(begun).where('id', '=', task.id).execute();
    expect(await round(app)).toEqual([[task.id, dmz]]);
  });

  test('runners are read only while a task is in the queue', async () => {
    const app = await testApp();
    const own = await addRunner(app, [], 1);
    let reads = 0;
    const counted: ListPlaces = (ctx) => {
      reads += 1;
      return listRunnerCapacities(ctx);
    };
    expect([await round(app, counted), reads]).toEqual([[], 0]);
    const { id } = await startTagged(app, await seedProject(app.admin, null), []);
    const among: ListPlaces = async (ctx) =>
      (await counted(ctx)).filter((place) => place.id !== null);
    expect(await round(app, among)).toEqual([[id, own]]);
    expect(reads).toBe(1);
  });

  test('runners that are drained, closed, silent or not registered are no places', async () => {
    const app = await testApp();
    const changes = [
      { draining: 1 },
      { closed: 1 },
      { role: 'web' },
      { remote: 1, credential: null },
      { last_seen: '2000-01-01T00:00:00.000Z' },
      { out_of_room: 1 },
      { remote: 1, credential: 'hash' },
    ] as const;
    const ids: number[] = [];
    for (const [index, change] of changes.entries()) {
      const id = await addRunner(app, [`t${index}`], 1);
      await app.ctx.db.updateTable('runners').set(change).where('id', '=', id).execute();
      ids.push(id);
    }
    const listed = (await listRunnerCapacities(app.ctx)).filter(({ id }) => ids.includes(id ?? 0));
    expect(listed.map(({ id, tags, running, hasRoom }) => [id, tags, running, hasRoom])).toEqual([
      [ids[5], ['t5'], 0, false],
      [ids[6], ['t6'], 0, true],
    ]);
  });

  test('a task goes to the next runner when another server was quicker with the best', async () => {
    const app = await testApp();
    const [one, two] = [await addRunner(app, ['a'], 1), await addRunner(app, ['a', 'b'], 1)];
    const seed = await seedProject(app.admin, null);
    const first = await startTagged(app, seed, ['a']);
    expect(await round(app)).toEqual([[first.id, one]]);
    const second = await startTagged(app, seed, ['a']);
    const third = await startTagged(app, seed, ['a']);
    // As it was before the first one was given away.
    const stale: ListPlaces = async (ctx) =>
      (await listRunnerCapacities(ctx))
        .filter(({ id }) => id !== null)
        .map((place) => ({ ...place, running: 0 }));
    expect(await round(app, stale)).toEqual([[second.id, two]]);
    expect((await readTask(app.admin, third)).status).toBe('waiting');
  });
});

test('tags are kept once each and in order, and wrong ones are refused where they stand', async () => {
  const { app, seed, params } = await appWithProject(null);
  const made = await seed.template({ runner_tags: ['gpu', ' dmz', 'gpu'] });
  const { id, runner_tag: _first, ...rest } = made as typeof made & { runner_tag: string };
  expect(rest.runner_tags).toEqual(['dmz', 'gpu']);
  const wrong = [
    ['dmz', 'two words'],
    ['-dmz', ''],
    Array.from({ length: 21 }, (_, index) => `t${index}`),
  ];
  const refusals = wrong.map(async (tags) => {
    const body = { ...rest, name: 'Other', runner_tags: tags, inventory_id: seed.inventoryId };
    const answer = await app.admin.ask(templates.create, { params, body: body as never });
    return [
      answer.status,
      ...(answer.body.fields ?? []).map(({ path, code }) => `${path} ${code}`),
    ];
  });
  expect(await Promise.all(refusals)).toEqual([
    [400, 'runner_tags.1 runner.tag_form'],
    [400, 'runner_tags.0 runner.tag_form', 'runner_tags.1 runner.tag_form'],
    [400, 'runner_tags field.too_many'],
  ]);
  const body = { name: 'P', runner_tags: ['no/slash'] };
  const answer = await app.admin.ask(projects.update, { params, body });
  expect(answer.body.fields).toMatchObject([{ path: 'runner_tags.0', code: 'runner.tag_form' }]);
  const one = await app.admin.call(templates.one, { params: { ...params, template_id: id } });
  expect(one.runner_tags).toEqual(['dmz', 'gpu']);
});

describe('the places for a task', () => {
  const place = (id: number | null, ...tags: string[]): RunnerCapacity => ({
    id,
    name: 'Server',
    projectId: null,
    tags,
    slots: 1,
    running: 0,
    hasRoom: true,
    kinds: ['server', 'tools'],
  });
  const three = [place(1), place(2, 'a'), place(3, 'a', 'b')];
  const executionKind = 'server';
  const free = { projectId: 1, executionKind, isBound: false, boundTo: null } as const;

  test.each([
    [[], [1]],
    [['a'], [2, 3]],
    [['a', 'b'], [3]],
    [['b'], [3]],
    [['c'], []],
    [['A'], []],
  ])('that asks for %j are %j', (tags, ids) => {
    expect(capacitiesFor(three, { tags, ...free }).map(({ id }) => id)).toEqual(ids);
  });

  test('that has begun on the only server are that server', () => {
    const only = [place(null, 'a')];
    const begun = { ...free, tags: [], isBound: true };
    expect(capacitiesFor(only, begun)).toEqual(only);
    expect(capacitiesFor(only, { ...begun, isBound: false })).toEqual([]);
  });

  test('are those of its own project and of all projects', () => {
    const ofProject = (id: number, projectId: number): RunnerCapacity => ({
      ...place(id),
      projectId,
    });
    const all = [place(1), ofProject(2, 7), ofProject(3, 8)];
    const idsFor = (projectId: number) =>
      capacitiesFor(all, { tags: [], ...free, projectId }).map(({ id }) => id);
    expect([idsFor(7), idsFor(8), idsFor(9)]).toEqual([[1, 2], [1, 3], [1]]);
    const bound = { ...free, tags: [], projectId: 8, isBound: true, boundTo: 2 };
    expect(capacitiesFor(all, bound)).toEqual([]);
  });
});
