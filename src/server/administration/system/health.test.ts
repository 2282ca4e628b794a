import { expect, test } from 'vitest';
import { runners } from '#shared/api/runners.ts';
import { system } from '#shared/api/system.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { testApp } from '../../../../test/helpers/app.ts';
import { until } from '../../../../test/helpers/until.ts';

const ready = {
  status: 'ok',
  database: 'ok',
  disk: 'ok',
  queue: 'ok',
  runner: 'ok',
  // The machine of the tests has other things to do.
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
  // Without the helper, which asks the database too.
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
