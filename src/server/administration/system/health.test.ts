import { expect, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { system } from '#shared/api/system.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { seedProject } from '../../../../test/helpers/seed.ts';
import { isSqlite } from '../../db/row.ts';
import { until } from '../../../../test/helpers/until.ts';

const ready = {
  status: 'ok',
  database: 'ok',
  disk: 'ok',
  queue: 'ok',
  runner: 'ok',
  // The machine of the tests may be busy with other things.
  event_loop: expect.toBeOneOf(['ok', 'slow']),
};

test('a server that works is ready, whoever asks', async () => {
  const app = await testApp({ runner: true });
  expect(await app.nobody.call(system.health, {})).toEqual(ready);
});

test('a server that leaves tasks to others is ready all the same', async () => {
  const app = await testApp();
  expect(await app.nobody.call(system.health, {})).toEqual({ ...ready, runner: 'off' });
});

test('a server without its database is not ready, and says what is wrong', async () => {
  const app = await testApp({ runner: true });
  await app.ctx.db.destroy();
  // The test helper would ask the database too.
  const ask = () => app.app.http.inject({ url: '/api/health' });
  app.ctx.hub.publish('queue', {});
  const isSeen = async () => (await ask()).json<ErrorBody>().params['queue'] === 'failed';
  expect(await until(isSeen)).toBe(true);
  const answer = await ask();
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({
    code: 'system.not_ready',
    error: 'The server is not ready: database failed, disk ok, queue failed, runner ok.',
    params: { database: 'failed', queue: 'failed', runner: 'ok' },
  });
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
  const app = await testApp({ runner: true });
  const seed = await seedProject(app.admin, null);
  const { id: template_id } = await seed.template({ requires_confirmation: true });
  const params = { project_id: seed.projectId };
  const held = await app.admin.call(tasks.start, { params, body: { template_id } });
  const see = () => app.admin.call(system.figures, {});
  expect(await until(async () => (await see()).queue.to_confirm === 1)).toBe(true);
  const waiting = { status: 'waiting', not_before: '2999-01-01T00:00:00.000Z' } as const;
  await app.ctx.db.updateTable('tasks').set(waiting).where('id', '=', held.id).execute();
  // The runner asks for the versions of its programs when it starts.
  expect(await until(async () => (await see()).runners[0]?.git !== '')).toBe(true);
  expect(await see()).toEqual({
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
    server: {
      version: expect.stringMatching(/^\d+\./),
      node: process.versions.node,
      started: expect.stringMatching(/Z$/),
      memory_bytes: expect.toSatisfy((size: number) => size > 10_000_000),
      machine_bytes: expect.any(Number),
    },
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
      },
    ],
  });
  const owner = await app.member(seed.projectId, 'owner');
  expect((await owner.ask(system.figures, {})).status).toBe(403);
});
