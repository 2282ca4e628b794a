import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp, type TestApp } from '../../../test/helpers/app.ts';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { watch } from '../../../test/helpers/many/watch.ts';
import { addRunner, round as giveOnce } from '../../../test/helpers/runners.ts';
import { launch } from '../../../test/helpers/tasks.ts';
import { InspectionQueue } from './inspection-queue.ts';
import { longPoll, trackForceStops } from './long-poll.ts';
import { StateInspections } from './state-inspections.ts';

const knows = { looking: [], knowsStates: true };
const publicKey = { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) } as const;

/** A runner that waits for news on so many requests, after everything was read for it once. */
async function waitingRunner(requests = 1) {
  const app = await testApp();
  const id = await addRunner(app, [], 1);
  const { ctx, take, settle } = watch(app.ctx);
  const gone = new AbortController();
  const calls = trackForceStops(ctx.hub);
  const inspections = new InspectionQueue(() => Promise.resolve(''));
  const question = { runner: { id, isOwn: false, publicKey }, held: [], ...knows, wait: 20 };
  const sources = {
    calls,
    inspections,
    stateInspections: new StateInspections(ctx.hub),
    changes: () => 1,
  };
  const ask = () => longPoll(ctx, sources, { ...question, gone: gone.signal });
  const all = Array.from({ length: requests }, ask);
  await settle();
  return { ctx, all, news: all[0], gone, take };
}

test('nothing is read for a runner that has gone', async () => {
  const { news, gone, take } = await waitingRunner();
  gone.abort();
  expect(await news).toMatchObject({ tasks: [], stops: [], taken: [] });
  expect(take()).toEqual([]);
});

test('everything is read again when something may concern the runner', async () => {
  const { ctx, news, take } = await waitingRunner();
  ctx.hub.publish('resource.changed', { projectId: 1, noun: 'repositories' });
  expect(await news).toMatchObject({ tasks: [], stops: [], taken: [] });
  expect(take().length).toBeGreaterThan(0);
});

test('thousands that are told at once are answered in several rounds of the event loop', async () => {
  const { ctx, all } = await waitingRunner(100);
  const rounds = new Set<number>();
  let round = 0;
  let next: NodeJS.Immediate | undefined;
  const count = (): void => {
    round += 1;
    next = setImmediate(count);
  };
  count();
  ctx.hub.publish('resource.changed', { projectId: 1, noun: 'repositories' });
  await Promise.all(
    all.map(async (news) => {
      await news;
      rounds.add(round);
    }),
  );
  clearImmediate(next);
  expect(rounds.size).toBeGreaterThan(2);
});

/** The tasks that a runner hears of when so many have been given to it. */
async function givenTasks(count: number, change?: (app: TestApp) => Promise<unknown>) {
  const { app, seed } = await appWithProject();
  const { id: template_id } = await seed.template({ allow_parallel_tasks: true });
  for (let one = 0; one < count; one += 1) await launch(app.admin, seed.projectId, { template_id });
  await change?.(app);
  const id = await addRunner(app, [], count);
  await giveOnce(app);
  const sources = {
    calls: trackForceStops(app.ctx.hub),
    inspections: new InspectionQueue(() => Promise.resolve('')),
    stateInspections: new StateInspections(app.ctx.hub),
    changes: () => 1,
  };
  const x = Buffer.from(generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }).x ?? '');
  const runner = { id, isOwn: false, publicKey: { ...publicKey, x: x.toString() } };
  const gone = new AbortController().signal;
  return longPoll(app.ctx, sources, { runner, held: [], ...knows, wait: 0, gone });
}

test('the first tasks that begin come with their secrets', async () => {
  const { tasks } = await givenTasks(12);
  expect(tasks.map(({ sealed }) => sealed !== undefined)).toEqual([
    ...Array.from({ length: 10 }, () => true),
    false,
    false,
  ]);
});

test('a task whose secrets cannot be opened comes without them', async () => {
  const { tasks } = await givenTasks(1, ({ ctx: { db } }) =>
    db.updateTable('keys').set({ type: 'login_password', secret: 'damaged' }).execute(),
  );
  expect(tasks).toMatchObject([{ status: 'starting' }]);
  expect(tasks[0]?.sealed).toBeUndefined();
});
