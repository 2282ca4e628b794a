import { expect, test } from 'vitest';
import { resultCountNames } from '#shared/api/run-results.ts';
import { schedules } from '#shared/api/schedules.ts';
import { stats } from '#shared/api/stats.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { TaskStatus } from '#shared/task-status.ts';
import { createApp } from '../app.ts';
import type { NewRow } from '../db/tables.ts';
import { testApp, type TestApp } from '../../../test/helpers/app.ts';
import { insertMany } from '../../../test/helpers/many/insert.ts';
import { firstId } from '../../../test/helpers/many/rows.ts';
import { watch } from '../../../test/helpers/many/watch.ts';
import { seedProject, type Seed } from '../../../test/helpers/seed.ts';

const now = '2026-11-21T12:00:00.000Z';

async function start() {
  const app = await testApp();
  app.clock.set(now);
  return { app, seed: await seedProject(app.admin, null) };
}

/** A task that began at a time and ended after so many seconds. */
async function ended(
  { ctx, admin }: TestApp,
  { projectId, templateId }: { projectId: number; templateId: number },
  [begun, seconds, status]: [begun: string, seconds: number, status: TaskStatus],
): Promise<number> {
  const launch = { params: { project_id: projectId }, body: { template_id: templateId } };
  const { id } = await admin.call(tasks.start, launch);
  const end = new Date(Date.parse(begun) + seconds * 1000).toISOString();
  const values = { status, start: begun, end };
  await ctx.db.updateTable('tasks').set(values).where('id', '=', id).execute();
  return id;
}

async function addHost(
  { ctx }: TestApp,
  taskId: number,
  host: string,
  counts: Partial<Record<'ok' | 'failed' | 'unreachable', number>>,
): Promise<void> {
  const { project_id } = await ctx.db
    .selectFrom('tasks')
    .select('project_id')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow();
  const none = Object.fromEntries(resultCountNames.map((name) => [name, 0]));
  const row = { ...none, task_id: taskId, project_id, host, ...counts };
  await ctx.db
    .insertInto('task_hosts')
    .values(row as NewRow<'task_hosts'>)
    .execute();
}

const ask = ({ admin }: TestApp, { projectId }: Seed, time_zone: string, days = 3) =>
  admin.call(stats.ofProject, { params: { project_id: projectId }, query: { time_zone, days } });

test('counts what ended on each day, by how it ended and by the clock of the reader', async () => {
  const { app, seed } = await start();
  const { id: templateId } = await seed.template();
  const of = { projectId: seed.projectId, templateId };
  await ended(app, of, ['2026-11-18T12:00:00.000Z', 60, 'success']);
  await ended(app, of, ['2026-11-19T22:59:00.000Z', 30, 'success']);
  await ended(app, of, ['2026-11-19T22:59:00.000Z', 60, 'error']);
  await ended(app, of, ['2026-11-21T08:00:00.000Z', 60, 'stopped']);
  const none = { success: 0, error: 0, stopped: 0 };
  expect((await ask(app, seed, 'Europe/Berlin')).days).toEqual([
    { ...none, day: '2026-11-19', success: 1 },
    { ...none, day: '2026-11-20', error: 1 },
    { ...none, day: '2026-11-21', stopped: 1 },
  ]);
  expect((await ask(app, seed, 'UTC')).days).toEqual([
    { ...none, day: '2026-11-19', success: 1, error: 1 },
    { ...none, day: '2026-11-20' },
    { ...none, day: '2026-11-21', stopped: 1 },
  ]);
});

test('shows the last runs of templates, and when the next one is due', async () => {
  const { app, seed } = await start();
  const [busy, idle] = [await seed.template(), await seed.template()];
  const other = await (await seedProject(app.admin, null)).template();
  const of = { projectId: seed.projectId, templateId: busy.id };
  for (let run = 0; run < 23; run += 1) {
    const status = run % 4 === 3 ? 'error' : 'success';
    await ended(app, of, ['2026-11-20T08:00:00.000Z', run, status]);
  }
  const params = { project_id: seed.projectId };
  const body = { template_id: idle.id, name: 'Nightly', cron_format: '0 3 * * *' };
  const { next_due: due } = await app.admin.call(schedules.create, { params, body });
  const query = { templates: [busy.id, idle.id, other.id].join(',') };
  const { templates: found } = await app.admin.call(stats.lastRuns, { params, query });
  expect(found.map(({ template_id: id }) => id)).toEqual([busy.id, idle.id]);
  expect(found[0]?.runs.map(({ duration_s: length }) => length)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 3),
  );
  expect(found[0]).toMatchObject({ median_s: 13, success_rate: 0.75, next_run: null });
  expect(found[1]).toMatchObject({ runs: [], median_s: null, success_rate: null, next_run: due });
  const whole = await app.admin.call(stats.lastRuns, { params, query: {} });
  expect(whole.templates).toEqual(found);
  const tooMany = { templates: Array.from({ length: 101 }, (_, id) => id + 1).join(',') };
  const refused = await app.admin.ask(stats.lastRuns, { params, query: tooMany });
  expect(refused.status).toBe(400);
});

test('counts the tasks of a template by the day of their launch, for other clients', async () => {
  const { app, seed } = await start();
  const [one, other] = [await seed.template(), await seed.template()];
  const of = { projectId: seed.projectId, templateId: one.id };
  app.clock.set('2026-11-19T23:59:59.000Z');
  await ended(app, of, ['2026-11-20T08:00:00.000Z', 10, 'success']);
  app.clock.set(now);
  await ended(app, of, ['2026-11-21T08:00:00.000Z', 20, 'success']);
  await ended(app, of, ['2026-11-21T08:00:00.000Z', 31, 'error']);
  const params = { project_id: seed.projectId, template_id: one.id };
  await app.admin.call(tasks.start, {
    params: { project_id: seed.projectId },
    body: { template_id: one.id },
  });
  const see = (query: { start?: string; end?: string; user_id?: number } = {}) =>
    app.admin.call(stats.ofTemplate, { params, query });
  const [today, before] = await see();
  expect(today).toEqual({
    date: '2026-11-21',
    count_by_status: { success: 1, error: 1, waiting: 1 },
    avg_duration: 26,
  });
  expect(before).toEqual({
    date: '2026-11-19',
    count_by_status: { success: 1 },
    avg_duration: 10,
  });
  expect(await see({ start: '2026-11-20', end: '' })).toEqual([today]);
  expect(await see({ start: '', end: '2026-11-19' })).toEqual([before]);
  expect(await see({ user_id: app.admin.userId })).toEqual([today, before]);
  expect(await see({ user_id: 999_999 })).toEqual([]);
  const empty = { params: { ...params, template_id: other.id } };
  expect(await app.admin.call(stats.ofTemplate, empty)).toEqual([]);
  const missing = { params: { ...params, template_id: 999_999 } };
  expect((await app.admin.ask(stats.ofTemplate, missing)).status).toBe(404);
  const wrong = { params, query: { start: 'yesterday' } };
  expect((await app.admin.ask(stats.ofTemplate, wrong)).status).toBe(400);
});

test('tells the median of the successful runs, and the slowest templates by name', async () => {
  const { app, seed } = await start();
  const [quick, slow] = [await seed.template(), await seed.template()];
  for (const seconds of [10, 20, 30]) {
    const run: [string, number, TaskStatus] = ['2026-11-21T08:00:00.000Z', seconds, 'success'];
    await ended(app, { projectId: seed.projectId, templateId: quick.id }, run);
  }
  const of = { projectId: seed.projectId, templateId: slow.id };
  await ended(app, of, ['2026-11-21T08:00:00.000Z', 600, 'success']);
  await ended(app, of, ['2026-11-21T08:00:00.000Z', 9000, 'error']);
  await ended(app, of, ['2026-10-01T08:00:00.000Z', 9000, 'success']);
  const { median_s, slowest } = await ask(app, seed, 'UTC');
  expect(median_s).toBe(25);
  expect(slowest).toEqual([
    { template_id: slow.id, name: slow.name, median_s: 600, runs: 1 },
    { template_id: quick.id, name: quick.name, median_s: 20, runs: 3 },
  ]);
});

test('names the templates and hosts that failed most in these days, and how long tasks waited', async () => {
  const { app, seed } = await start();
  const [often, once] = [await seed.template(), await seed.template()];
  const of = (templateId: number) => ({ projectId: seed.projectId, templateId });
  const late: [string, number, TaskStatus] = ['2026-11-21T12:00:08.000Z', 60, 'error'];
  const failed = [
    await ended(app, of(once.id), late),
    await ended(app, of(often.id), late),
    await ended(app, of(often.id), late),
  ];
  await ended(app, of(often.id), ['2026-11-20T08:00:00.000Z', 9, 'success']);
  await ended(app, of(once.id), ['2026-10-01T08:00:00.000Z', 60, 'error']);
  await app.ctx.db.updateTable('tasks').set({ created: now }).where('id', 'in', failed).execute();
  for (const task_id of failed) await addHost(app, task_id, 'web-2', { unreachable: 1 });
  await addHost(app, failed[0] ?? 0, 'web-1', { failed: 1 });
  await addHost(app, failed[1] ?? 0, 'web-3', { ok: 1 });
  const found = await ask(app, seed, 'UTC');
  expect(found.failing_templates).toEqual([
    { template_id: often.id, name: often.name, failed: 2 },
    { template_id: once.id, name: once.name, failed: 1 },
  ]);
  expect(found.failing_hosts).toEqual([
    { host: 'web-2', failed: 3 },
    { host: 'web-1', failed: 1 },
  ]);
  expect(found.day_median_s).toEqual([null, 9, null]);
  // The other two tasks started before they were launched, which counts as no wait.
  expect(found.wait).toEqual({ median_s: 8, p95_s: 8 });
});

test('knows nothing of the tasks of other projects, and of those that go on', async () => {
  const { app, seed } = await start();
  const other = await seedProject(app.admin, null);
  const { id: templateId } = await other.template();
  const of = { projectId: other.projectId, templateId };
  await ended(app, of, ['2026-11-21T08:00:00.000Z', 60, 'success']);
  await seed.template();
  const seen = await ask(app, seed, 'UTC', 30);
  expect(seen.days).toHaveLength(30);
  expect(seen.days.filter(({ success }) => success > 0)).toEqual([]);
  expect([seen.median_s, seen.slowest]).toEqual([null, []]);
  expect([seen.wait, seen.failing_templates, seen.failing_hosts]).toEqual([null, [], []]);
});

test('takes as many statements, however much there is', async () => {
  const app = await testApp();
  app.clock.set('2024-01-03T00:00:00.000Z');
  const bigShare = { templates: 50, tasks: 2000, events: 1 };
  const size = { projects: 1, users: 2, templates: 50, tasks: 2000, events: 1, things: 1 };
  await insertMany(app.ctx, { ...size, bigShare });
  const watched = watch(app.ctx);
  const server = await createApp(watched.ctx, app.parts);
  await watched.settle();
  const url = `/api/project/${firstId}/stats`;
  const headers = { cookie: app.admin.cookie };
  await server.http.inject({ url: '/api/user', headers });
  const others = watched.take().length;
  const answer = await server.http.inject({ url, headers });
  const more = watched.take().length - others;
  await server.close();
  expect(answer.statusCode).toBe(200);
  expect(answer.json<{ slowest: unknown[] }>().slowest).toHaveLength(5);
  expect(more).toBeLessThanOrEqual(9);
});

test('refuses a time zone that does not exist', async () => {
  const { app, seed } = await start();
  const params = { project_id: seed.projectId };
  const query = { time_zone: 'Europe/Nowhere' };
  const { status, body } = await app.admin.ask(stats.ofProject, { params, query });
  expect(status).toBe(400);
  expect(body.fields?.map(({ code }) => code)).toEqual(['schedule.time_zone_unknown']);
});
