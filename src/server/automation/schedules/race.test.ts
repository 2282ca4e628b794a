// Two schedulers on one database: each due time gets one row and one task, whichever scheduler
// handles it, and whenever one of them stops.

import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownEngine, testApp, type TestApp } from '../../../../test/helpers/app.ts';
import { emptyQueue, seedSchedules } from '../../../../test/helpers/schedules.ts';
import { openContext } from '../../open-context.ts';
import type { Context } from '../../context/context.ts';
import { Scheduler } from './scheduler.ts';

/**
 * The context of another server on the same database. SQLite has one server, so there it shares the
 * connection.
 */
async function secondContext(app: TestApp): Promise<Context> {
  if (ownEngine === 'sqlite') return { ...app.ctx };
  const ctx = await openContext(app.parts);
  onTestFinished(ctx.close);
  return ctx;
}

const never = (): Promise<string | null> => Promise.resolve(null);

async function start() {
  const app = await testApp();
  app.clock.set('2026-05-01T10:00:20Z');
  const made = await seedSchedules(app, null);
  const [one, two] = [app.ctx, await secondContext(app)].map((ctx) => new Scheduler(ctx, never));
  if (!one || !two) throw new Error('there are two');
  onTestFinished(async () => {
    await one.close();
    await two.close();
  });
  const rows = () =>
    app.ctx.db
      .selectFrom('schedule_fires')
      .select(['schedule_id', 'due', 'result', 'task_id'])
      .orderBy('id')
      .execute();
  return { app, ...made, one, two, rows };
}

describe('two schedulers', () => {
  test('share many due times, each of which is taken once', async () => {
    const { app, create, one, two, rows, ...made } = await start();
    const count = 10;
    const minutes = 20;
    for (let number = 0; number < count; number += 1) await create({ name: `${number}` });
    const lag = ownEngine === 'postgres' ? 3 : 0;
    for (let minute = 1; minute <= minutes; minute += 1) {
      app.clock.set(`2026-05-01T10:${String(minute).padStart(2, '0')}:01Z`);
      // The second one starts a little later, at another point of the first one's round each time.
      const late = delay((minute % 5) * lag).then(() => two.runOnce());
      await Promise.all([one.runOnce(), late, two.runOnce()]);
      await emptyQueue(app);
    }
    const found = await rows();
    const tasks = await made.tasks();
    expect(found).toHaveLength(count * minutes);
    expect(new Set(found.map(({ schedule_id, due }) => `${schedule_id} ${due}`)).size).toBe(
      count * minutes,
    );
    expect(found.filter(({ result }) => result !== 'started')).toEqual([]);
    expect(tasks.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      found.map(({ task_id }) => task_id ?? 0).toSorted((a, b) => a - b),
    );
  });

  test('miss what nobody has taken once, and run once for it', async () => {
    const { app, create, one, two, rows, ...made } = await start();
    await create({ missed: 'run' });
    app.clock.set('2026-05-01T12:00:59Z');
    await Promise.all([one.runOnce(), two.runOnce(), one.runOnce()]);
    const found = await rows();
    expect(found).toHaveLength(1 + 100 + 1);
    expect(found.filter(({ result }) => result === 'started')).toHaveLength(1);
    expect(await made.tasks()).toHaveLength(1);
  });

  test('take a due time once when one ends in its minute', async () => {
    const { app, create, one, two, rows, ...made } = await start();
    await create();
    // The first one stops before the time is due, and the second one handles it.
    await one.start();
    await one.close();
    app.clock.set('2026-05-01T10:01:00.500Z');
    await two.start();
    await two.runOnce();
    expect(await rows()).toHaveLength(1);
    // It stops right after that, or during it, and another one starts.
    await emptyQueue(app);
    app.clock.set('2026-05-01T10:02:00.500Z');
    const last = two.runOnce();
    await two.close();
    const three = new Scheduler(app.ctx, never);
    onTestFinished(() => three.close());
    await three.start();
    await Promise.all([last, three.runOnce()]);
    const found = await rows();
    expect(found.map(({ due, result }) => [due.slice(11, 16), result])).toEqual([
      ['10:01', 'started'],
      ['10:02', 'started'],
    ]);
    expect(await made.tasks()).toHaveLength(2);
  });
});
