import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { system } from '#shared/api/system.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { type Caller, testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { appWithProject } from '../../../../test/helpers/app-with-project.ts';
import { addRunner } from '../../../../test/helpers/runners.ts';
import { folder } from '../../../../test/helpers/seed.ts';
import { createAsideFolder } from '../../../node/data-folder/set-aside.ts';
import { isAlone } from '../../context/context.ts';
import { isSqlite } from '../../db/row.ts';
import type { Row } from '../../db/tables.ts';
import { launch } from '../../../../test/helpers/tasks.ts';
import { stopWrites } from '../../../../test/helpers/stop-writes.ts';
import { until } from '../../../../test/helpers/until.ts';

const ready = {
  status: 'ok',
  database: 'ok',
  writing: 'ok',
  disk: 'ok',
  clock: 'ok',
  queue: 'ok',
  runner: 'ok',
  runners: 'ok',
  // The machine of the tests may be busy with other things.
  event_loop: expect.toBeOneOf(['ok', 'slow']),
  backups: 'off',
  follow_ups: 'ok',
  control_groups: expect.toBeOneOf(['ok', 'off']),
  proxies: 'ok',
  // A server that has just started does not know it yet.
  ansible: expect.toBeOneOf(['ok', 'off']),
};

// The test helper would ask the database too.
const ask = ({ app }: TestApp, url = '/api/health') => app.http.inject({ url });

/** What probes read, when it is this. */
const untilReasons = (app: TestApp, reasons: string[]): Promise<boolean> =>
  until(async () => {
    const answer = await ask(app, '/readyz');
    const body = answer.json<{ reasons: string[] }>();
    return (
      answer.statusCode === (reasons.length > 0 ? 503 : 200) &&
      body.reasons.join() === reasons.join()
    );
  });

test('a server that works is ready, whoever asks', async () => {
  const app = await testApp({ runner: true });
  expect(await app.nobody.call(system.health, {})).toEqual(ready);
  for (const [url, body] of [
    ['/healthz', { status: 'alive' }],
    ['/readyz', { status: 'ready', reasons: [] }],
  ] as const) {
    const answer = await app.nobody.raw({ url, headers: { host: '10.0.0.7:3000' } });
    expect([answer.statusCode, answer.json()]).toEqual([200, body]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    const head = await app.nobody.raw({ method: 'HEAD', url });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect((await app.nobody.raw({ method: 'POST', url })).statusCode).toBe(405);
  }
});

test('an Ansible of a later release than those that were tried is a note, and the server is ready', async () => {
  const place = await folder();
  await writeFile(join(place, 'ansible'), "#!/bin/sh\necho 'ansible [core 2.99.0]'\n", {
    mode: 0o755,
  });
  const app = await testApp({ runner: true, config: { path: `${place}:${process.env['PATH']}` } });
  await until(async () => (await app.nobody.call(system.health, {})).ansible === 'new');
  expect((await ask(app, '/readyz')).statusCode).toBe(200);
});

test('no limit of calls refuses probes, however often they ask', async () => {
  const app = await testApp();
  for (const url of ['/healthz', '/readyz']) {
    const answers = await Promise.all(Array.from({ length: 1500 }, () => ask(app, url)));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toEqual([]);
  }
});

test('a server that leaves tasks to others is ready all the same', async () => {
  const app = await testApp();
  const health = await app.nobody.call(system.health, {});
  const some = expect.toBeOneOf(['ok', 'failed']);
  expect(health).toEqual({ ...ready, runner: 'off', runners: some });
  expect((await ask(app, '/readyz')).statusCode).toBe(200);
});

test('a server without its database is alive but not ready, and says what is wrong', async () => {
  const app = await testApp({ runner: true });
  await app.ctx.db.destroy();
  app.ctx.hub.publish('queue.changed', {});
  const isSeen = async () => (await ask(app)).json<ErrorBody>().params['queue'] === 'failed';
  expect(await until(isSeen)).toBe(true);
  const answer = await ask(app);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    code: 'system.not_ready',
    error:
      'The server is not ready: database failed, writing ok, disk ok, clock ok, queue failed, runner ok.',
    params: { database: 'failed', queue: 'failed', runner: 'ok' },
  });
  expect(await untilReasons(app, ['database_failed', 'queue_failed'])).toBe(true);
  expect((await ask(app, '/healthz')).statusCode).toBe(200);
});

test('a database that takes no writes makes the server not ready until it does', async () => {
  const app = await testApp();
  expect(await untilReasons(app, [])).toBe(true);
  const allow = await stopWrites(app);
  expect(await untilReasons(app, ['writing_failed'])).toBe(true);
  expect((await ask(app)).json()).toMatchObject({ params: { database: 'ok', writing: 'failed' } });
  await allow();
  expect(await untilReasons(app, [])).toBe(true);
});

test('a data folder that cannot be written makes the server not ready until it can', async () => {
  const app = await testApp();
  // A folder stands where the file would be written, which stops administrators of the system too.
  const path = join(app.ctx.config.dataDir, '.writable');
  await mkdir(join(path, 'inside'), { recursive: true });
  expect(await untilReasons(app, ['writing_failed'])).toBe(true);
  await rm(path, { recursive: true });
  expect(await untilReasons(app, [])).toBe(true);
  expect(await readdir(app.ctx.config.dataDir)).not.toContain('.writable');
});

test('a clock that was never set makes the server not ready, and one that is wrong shows', async () => {
  const app = await testApp();
  app.clock.set('1970-01-01T00:10:00Z');
  expect(await untilReasons(app, ['clock_failed'])).toBe(true);
  app.clock.set(new Date(Date.now() + 120_000).toISOString());
  expect(await untilReasons(app, [])).toBe(true);
  expect(await app.nobody.call(system.health, {})).toMatchObject({ clock: 'wrong' });
});

test('a task that could begin and has waited for long is told', async () => {
  const { app, seed } = await appWithProject(null);
  const change = (id: number, values: Partial<Row<'tasks'>>) =>
    app.ctx.db.updateTable('tasks').set(values).where('id', '=', id).execute();
  const launched = async (template_id: number, minutesAgo: number): Promise<number> => {
    const { id } = await launch(app.admin, seed.projectId, { template_id });
    await change(id, { created: new Date(Date.now() - minutesAgo * 60_000).toISOString() });
    return id;
  };
  const state = async () => (await app.nobody.call(system.health, {})).queue;
  const [retries, alone, plain] = [
    await seed.template(),
    await seed.template(),
    await seed.template(),
  ];
  await change(await launched(retries.id, 60), { not_before: '2999-01-01T00:00:00.000Z' });
  await change(await launched(alone.id, 60), { status: 'running' });
  await launched(alone.id, 60);
  const task = await launched(plain.id, 10);
  expect(await state()).toBe('ok');
  await change(task, { created: new Date(Date.now() - 20 * 60_000).toISOString() });
  expect(await until(async () => (await state()) === 'late')).toBe(true);
  expect((await ask(app, '/readyz')).statusCode).toBe(200);
});

test('a runner that is silent is told, and the server stays ready', async () => {
  const app = await testApp({ runner: true });
  const state = async () => (await app.nobody.call(system.health, {})).runners;
  expect(await state()).toBe('ok');
  const id = await addRunner(app, [], 1);
  const silent = { last_seen: '2020-01-01T00:00:00.000Z' };
  await app.ctx.db.updateTable('runners').set(silent).where('id', '=', id).execute();
  expect(await until(async () => (await state()) === 'silent')).toBe(true);
  expect((await ask(app, '/readyz')).statusCode).toBe(200);
});

test('a server that is told to end is not ready any more, and answers what else it is asked', async () => {
  const app = await testApp();
  app.app.drain();
  const answer = await ask(app, '/readyz');
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { status: 'not_ready', reasons: ['draining'] },
  ]);
  expect((await ask(app, '/healthz')).statusCode).toBe(200);
  expect((await app.admin.ask(runners.list, {})).status).toBe(200);
});

test('the list of runners holds the server itself', async () => {
  const app = await testApp({ runner: true, config: { maxParallelTasks: 7 } });
  expect(await app.admin.call(runners.list, {})).toMatchObject([
    {
      id: expect.any(Number),
      project_id: null,
      name: expect.stringMatching(/./),
      active: true,
      max_parallel_tasks: 7,
      webhook: '',
      version: expect.stringMatching(/^\d+\./),
      running: 0,
      last_seen: expect.stringMatching(/Z$/),
    },
  ]);
});

test('administrators see room, queue, memory and versions, and nobody else does', async () => {
  const { app, seed, params } = await appWithProject(null, { runner: true });
  const { id: template_id } = await seed.template({ requires_confirmation: true });
  const held = await app.admin.call(tasks.start, { params, body: { template_id } });
  const see = () => app.admin.call(system.figures, {});
  expect(await until(async () => (await see()).queue.to_confirm === 1)).toBe(true);
  const waiting = { status: 'waiting', not_before: '2999-01-01T00:00:00.000Z' } as const;
  await app.ctx.db.updateTable('tasks').set(waiting).where('id', '=', held.id).execute();
  // The runner asks for the versions of its programs when it starts.
  expect(await until(async () => (await see()).runners[0]?.git !== '')).toBe(true);
  await createAsideFolder(app.ctx.config, {
    kind: 'terraform',
    label: 'project-8-template-9',
    why: '',
  });
  const dueTime: unknown = expect.stringMatching(/Z$/);
  expect(await see()).toEqual({
    recent: expect.any(Array),
    disk: {
      folder: app.ctx.config.dataDir,
      low_bytes: app.ctx.config.lowDiskBytes,
      free_bytes: expect.any(Number),
      size_bytes: expect.any(Number),
    },
    database: {
      engine: isSqlite(app.ctx.db as never) ? 'sqlite' : 'postgresql',
      version: expect.stringMatching(/^\d+\./),
      size_bytes: expect.toSatisfy((size: number) => size > 100_000),
    },
    queue: { waiting: 1, oldest_waiting: held.created, to_confirm: 0, running: 0 },
    backups: { scheduled: false, last: null, bytes: null, failure: null },
    set_aside: {
      count: 1,
      newest: expect.stringMatching(/Z$/),
      folder: join(app.ctx.config.dataDir, 'set-aside'),
    },
    server: {
      version: expect.stringMatching(/^\d+\./),
      node: process.versions.node,
      zone_rules: process.versions['tz'],
      started: expect.stringMatching(/Z$/),
      memory_bytes: expect.toSatisfy((size: number) => size > 10_000_000),
      machine_bytes: expect.any(Number),
      proxies: { http: null, https: null },
    },
    loops: [
      'assign_tasks',
      'follow_ups',
      'lost_runners',
      'maintenance',
      'workflow_runs',
      'schedules',
      'alerts',
    ].map((name) => ({
      name,
      last_run: expect.stringMatching(/Z$/),
      duration_ms: expect.any(Number),
      error: null,
      // A server that shares no database assigns tasks at events only.
      next_due: name === 'assign_tasks' && isAlone(app.ctx) ? null : dueTime,
    })),
    runners: [
      {
        id: expect.any(Number),
        name: expect.stringMatching(/./),
        version: expect.stringMatching(/^\d+\./),
        running: 0,
        last_seen: expect.stringMatching(/Z$/),
        node: process.versions.node,
        git: expect.stringContaining('git version'),
        ansible: expect.any(String),
        memory_bytes: expect.toSatisfy((size: number) => size > 10_000_000),
        set_aside: null,
      },
    ],
  });
  const owner = await app.member(seed.projectId, 'owner');
  expect((await owner.ask(system.figures, {})).status).toBe(403);
});

test('background work that fails is listed with its error, and goes on', async () => {
  const app = await testApp({ runner: true });
  const { ctx } = app;
  const errorOf = async () => {
    ctx.hub.publish('follow-up.added', {});
    const { loops } = await app.admin.call(system.figures, {});
    return loops.find(({ name }) => name === 'follow_ups')?.error;
  };
  await until(async () => (await errorOf()) === null);
  await ctx.db.schema.alterTable('task_follow_ups').renameTo('moved_away').execute();
  await until(async () => (await errorOf())?.includes('task_follow_ups') ?? false);
  await ctx.db.schema.alterTable('moved_away').renameTo('task_follow_ups').execute();
  expect(await until(async () => (await errorOf()) === null)).toBe(true);
});

test('requests through a proxy that is not trusted are noticed', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const stateOf = async (app: TestApp, caller: Caller): Promise<string> => {
    await caller.raw({ url: '/api/user', headers });
    return (await ask(app)).json<{ proxies: string }>().proxies;
  };
  const fresh = () => testApp({ config: { trustedProxies: [] } });
  const first = await fresh();
  // Strangers cannot raise a warning.
  expect(await stateOf(first, first.nobody)).toBe('ok');
  const second = await fresh();
  expect(await stateOf(second, second.admin)).toBe('wrong');
  const third = await testApp({ config: { trustedProxies: ['192.0.2.7'] } });
  expect(await stateOf(third, third.admin)).toBe('ok');
});
