// Only on SQLite: the hub and the clock are those of one process.

import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { until } from '../../../test/helpers/until.ts';
import { BackgroundLoop, type BackgroundWork } from './background-loop.ts';

async function loopOf(work: Pick<BackgroundWork, 'run'> & Partial<BackgroundWork>) {
  const { ctx, clock } = await testApp();
  const loop = new BackgroundLoop(ctx, { name: 'alerts', failure: 'test loop failed', ...work });
  onTestFinished(() => loop.close());
  return { ctx, clock, loop };
}

test('a run that throws is listed with its error, logged and repeated', async () => {
  let runs = 0;
  let failures = 0;
  const { loop } = await loopOf({
    run: async () => {
      runs += 1;
      if (runs === 1) throw new Error('no connection');
      return null;
    },
    onFailure: () => (failures += 1),
  });
  expect(loop.state).toBe(null);
  loop.start();
  await until(() => loop.hasFailed);
  expect(loop.state).toMatchObject({ name: 'alerts', error: 'no connection' });
  await until(() => runs === 2 && !loop.hasFailed);
  expect(loop.state).toMatchObject({ error: null, next_due: null, last_run: expect.any(String) });
  expect(failures).toBe(1);
});

test('a part that fails is listed and retried soon, and what is due is bounded otherwise', async () => {
  let isFailing = true;
  let due: string | null = null;
  const { loop, clock } = await loopOf({
    run: async ({ fail }) => {
      if (isFailing) fail(new Error('one of many'));
      return due;
    },
    pause: { minMs: 10_000, maxMs: 60_000, retryMs: 5_000 },
  });
  const pauseAfterRun = async () => {
    await loop.runOnce();
    const next = Date.parse(loop.state?.next_due ?? '');
    return Math.round((next - clock.now().getTime()) / 1000);
  };
  loop.start();
  expect(await pauseAfterRun()).toBe(5);
  expect(loop.state).toMatchObject({ error: 'one of many' });
  expect(loop.hasFailed).toBe(false);
  isFailing = false;
  expect(await pauseAfterRun()).toBe(60);
  due = new Date(clock.now().getTime() - 1000).toISOString();
  expect(await pauseAfterRun()).toBe(10);
  due = new Date(clock.now().getTime() + 3_600_000).toISOString();
  expect(await pauseAfterRun()).toBe(60);
});

test('runs at the hub events that it names, and at no others, until it is closed', async () => {
  let runs = 0;
  const { ctx, loop } = await loopOf({
    wakeOn: ['alert.added'],
    wakeOnChanged: ['schedules'],
    run: async () => {
      runs += 1;
      return null;
    },
  });
  const runsAfter = async (publish: () => void): Promise<number> => {
    const before = runs;
    publish();
    await loop.settled;
    return runs - before;
  };
  loop.start();
  await loop.settled;
  expect(await runsAfter(() => ctx.hub.publish('alert.added', {}))).toBe(1);
  expect(await runsAfter(() => ctx.hub.publish('hub.events-missed', {}))).toBe(1);
  const changed = (noun: 'schedules' | 'views') => () =>
    ctx.hub.publish('resource.changed', { projectId: 1, noun });
  expect(await runsAfter(changed('schedules'))).toBe(1);
  expect(await runsAfter(changed('views'))).toBe(0);
  expect(await runsAfter(() => ctx.hub.publish('queue.changed', {}))).toBe(0);
  await loop.close();
  expect(loop.closing.aborted).toBe(true);
  expect(await runsAfter(() => ctx.hub.publish('alert.added', {}))).toBe(0);
});
