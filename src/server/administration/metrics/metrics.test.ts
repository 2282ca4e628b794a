import { expect, test } from 'vitest';
import { roles, type Role } from '#shared/rights.ts';
import { session } from '#shared/api/session.ts';
import { tasks } from '#shared/api/tasks.ts';
import {
  ownEngine,
  testApp,
  type TestApp,
  type TestOptions,
} from '../../../../test/helpers/app.ts';
import { readMetrics, valuesOf } from '../../../../test/helpers/metrics.ts';
import { seedSchedules } from '../../../../test/helpers/schedules.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { launch, untilFinished } from '../../../../test/helpers/tasks.ts';
import { until } from '../../../../test/helpers/until.ts';

const token = 'a-token-of-the-metrics';

const withMetrics = (options: TestOptions = {}, mostTemplates = 100): Promise<TestApp> =>
  testApp({ ...options, config: { metrics: { token, listen: null, mostTemplates } } });

async function scrape(app: TestApp): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.app.http.inject({ url: '/metrics', headers });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return answer.body;
}

async function stop(app: TestApp, task: { id: number; project_id: number }): Promise<void> {
  const params = { project_id: task.project_id, task_id: task.id };
  await app.admin.call(tasks.stop, { params, body: { force: false } });
}

test('without a token or a port there are no metrics', async () => {
  const app = await testApp();
  for (const caller of [app.nobody, app.admin]) {
    expect((await caller.raw({ url: '/metrics' })).statusCode).toBe(404);
  }
});

test('only the token opens them, in the header Authorization', async () => {
  const app = await withMetrics();
  const { projectId } = await seedProject(app.admin, null);
  // One after the other: a member that is added during a request of another one counts as its change.
  const members = [];
  for (const role of Object.keys(roles) as Role[]) members.push(await app.member(projectId, role));
  for (const caller of [app.nobody, app.admin, ...members]) {
    for (const url of ['/metrics', `/metrics?token=${token}`, `/metrics?access_token=${token}`]) {
      const answer = await caller.raw({ url });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json()).toMatchObject({
        code: 'metrics.token_required',
        error: expect.stringContaining('SIGNALBOX_METRICS_TOKEN'),
      });
      expect(answer.body).not.toContain('signalbox_');
    }
  }
  const wrong = ['', 'Bearer', `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token.slice(1)}`];
  for (const authorization of [...wrong, `Bearer x, Bearer ${token}`, token]) {
    const answer = await app.nobody.raw({ url: '/metrics', headers: { authorization } });
    expect(answer.statusCode).toBe(401);
  }
  expect((await app.nobody.raw({ method: 'POST', url: '/metrics' })).statusCode).toBe(405);
  await scrape(app);
});

test('tell the queue by the reason of waiting, and its age', async () => {
  const app = await withMetrics();
  const { projectId, template } = await seedProject(app.admin, null);
  const first = await template();
  await launch(app.admin, projectId, { template_id: first.id });
  await launch(app.admin, projectId, { template_id: first.id });
  app.clock.advance(90_000);
  const text = await scrape(app);
  const waits = readMetrics(text).filter(({ name }) => name === 'signalbox_queue_tasks');
  expect(waits.reduce((sum, { value }) => sum + value, 0)).toBe(2);
  const [reason = ''] = waits.flatMap(({ value, labels }) => (value > 0 ? labels['reason'] : []));
  const [age] = valuesOf(text, 'signalbox_queue_oldest_age_seconds', { reason });
  expect(age).toBeGreaterThan(89);
  expect(valuesOf(text, 'signalbox_tasks', { status: 'waiting' })).toEqual([2]);
  const ids = { project_id: String(projectId), template_id: String(first.id) };
  expect(valuesOf(text, 'signalbox_template_tasks', { ...ids, status: 'waiting' })).toEqual([2]);
  const names = { ...ids, template: first.name };
  expect(valuesOf(text, 'signalbox_template_info', names)).toEqual([1]);
  expect(valuesOf(text, 'signalbox_database_up')).toEqual([1]);
  expect(valuesOf(text, 'signalbox_database_size_bytes')[0]).toBeGreaterThan(10_000);
  const postgres = ownEngine === 'postgres' ? 'postgresql' : ownEngine;
  expect(valuesOf(text, 'signalbox_build_info', { engine: postgres })).toEqual([1]);
});

test('show so many templates as the setting says, and the rest in one sum', async () => {
  const app = await withMetrics({}, 2);
  const { projectId, template } = await seedProject(app.admin, null);
  for (let count = 0; count < 4; count += 1) {
    const { id } = await template({ name: `hidden-${count}` });
    const ended = await launch(app.admin, projectId, { template_id: id });
    await stop(app, ended);
    await launch(app.admin, projectId, { template_id: id });
  }
  const text = await scrape(app);
  const ended = readMetrics(text).filter(
    ({ name }) => name === 'signalbox_template_tasks_ended_total',
  );
  expect(ended).toHaveLength(3);
  const other = { template_id: 'other', project_id: 'other', status: 'stopped' };
  expect(valuesOf(text, 'signalbox_template_tasks_ended_total', other)).toEqual([2]);
  expect(valuesOf(text, 'signalbox_tasks_ended_total', { status: 'stopped' })).toEqual([4]);
  const waiting = readMetrics(text).filter(({ name }) => name === 'signalbox_template_tasks');
  expect(waiting.reduce((sum, { value }) => sum + value, 0)).toBe(4);
  // Two by their ended tasks, and two by their waiting ones, which may be the same.
  expect(waiting.length).toBeLessThanOrEqual(5);
  expect(valuesOf(text, 'signalbox_template_info').length).toBeLessThanOrEqual(4);
});

test('tell what became of due times of schedules', async () => {
  const app = await withMetrics();
  const { create, fires } = await seedSchedules(app, null);
  const schedule = await create();
  await app.app.scheduler.start();
  app.clock.advance(10 * 60_000);
  app.ctx.hub.publish('resource.changed', { projectId: schedule.project_id, noun: 'schedules' });
  const seen = await until(async () => {
    const all = await fires(schedule);
    return all.some(({ result }) => result === 'missed') && all;
  });
  const missed = seen.filter(({ result }) => result === 'missed');
  const text = await scrape(app);
  const count = missed.reduce((sum, one) => sum + one.count, 0);
  expect(count).toBeGreaterThan(5);
  expect(valuesOf(text, 'signalbox_schedule_times_total', { outcome: 'missed' })).toEqual([count]);
});

test('tell of the process although the database does not answer', async () => {
  const app = await withMetrics();
  await scrape(app);
  await app.ctx.db.destroy();
  const text = await until(async () => {
    const now = await scrape(app);
    return valuesOf(now, 'signalbox_database_up')[0] === 0 && now;
  });
  expect(valuesOf(text, 'signalbox_ready')).toEqual([0]);
  expect(valuesOf(text, 'signalbox_health_ok', { part: 'database' })).toEqual([0]);
  expect(valuesOf(text, 'process_resident_memory_bytes')[0]).toBeGreaterThan(1_000_000);
  expect(valuesOf(text, 'signalbox_disk_free_bytes')[0]).toBeGreaterThan(0);
  expect(text).not.toMatch(/signalbox_(?:tasks|queue_tasks|runners|database_size_bytes)[{ ]/);
});

test('are none of what is rolled back', async () => {
  const app = await withMetrics();
  const { projectId, template } = await seedProject(app.admin, null);
  const { id } = await template();
  const task = await launch(app.admin, projectId, { template_id: id });
  await app.ctx.db.schema.alterTable('task_follow_ups').renameTo('elsewhere').execute();
  const answer = await app.app.http.inject({
    method: 'POST',
    url: `/api/project/${projectId}/tasks/${task.id}/stop`,
    headers: { cookie: app.admin.cookie },
    payload: { force: false },
  });
  expect(answer.statusCode).toBe(500);
  await app.ctx.db.schema
    .alterTable('elsewhere' as never)
    .renameTo('task_follow_ups')
    .execute();
  const text = await scrape(app);
  expect(valuesOf(text, 'signalbox_tasks_ended_total', { status: 'stopped' })).toEqual([0]);
});

test('measure runs, their logs, requests by the pattern of their route, and failed sign-ins', async () => {
  const app = await withMetrics({ runner: true });
  const address = await app.listen();
  const { projectId, template } = await seedProject(app.admin, { 'play.yml': 'echo one line\n' });
  const { id } = await template();
  const task = await launch(app.admin, projectId, { template_id: id });
  const { status } = await untilFinished(app.admin, task);
  await fetch(`${address}/api/project/${projectId}/tasks/${task.id}?secret=canary-in-a-query`);
  await fetch(`${address}/canary-in-a-path`);
  await app.nobody.ask(session.signIn, { body: { auth: 'root', password: 'a wrong one' } });
  const text = await until(async () => {
    const now = await scrape(app);
    return valuesOf(now, 'signalbox_tasks_ended_total', { status })[0] === 1 && now;
  });
  const ran = { app: 'ansible', status };
  expect(valuesOf(text, 'signalbox_task_duration_seconds_count', ran)).toEqual([1]);
  expect(valuesOf(text, 'signalbox_task_start_latency_seconds_count')).toEqual([1]);
  expect(valuesOf(text, 'signalbox_log_stored_lines_total')[0]).toBeGreaterThan(0);
  expect(valuesOf(text, 'signalbox_log_stored_bytes_total')[0]).toBeGreaterThan(8);
  expect(valuesOf(text, 'signalbox_runners', { state: 'ready' })).toEqual([1]);
  const asked = { route: '/api/project/:project_id/tasks/:task_id', method: 'GET', status: '401' };
  expect(valuesOf(text, 'signalbox_http_request_duration_seconds_count', asked)).toEqual([1]);
  const unknown = { route: 'none', status: '404' };
  expect(valuesOf(text, 'signalbox_http_request_duration_seconds_count', unknown)).toEqual([1]);
  expect(valuesOf(text, 'signalbox_sign_in_failures_total', { reason: 'password' })).toEqual([1]);
  expect(text).not.toContain('canary');
});
