import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { watch } from '../../../test/helpers/many/watch.ts';
import { addRunner } from '../../../test/helpers/runners.ts';
import { Looks } from './looks.ts';
import { awaitNews } from './news.ts';
import { rememberStops } from './stop-calls.ts';

/** A runner that waits for news on so many requests, after everything was read for it once. */
async function waitingRunner(requests = 1) {
  const app = await testApp();
  const id = await addRunner(app, [], 1);
  const { ctx, take, settle } = watch(app.ctx);
  const gone = new AbortController();
  const calls = rememberStops(ctx.hub);
  const looks = new Looks(() => Promise.resolve(''));
  const question = { runner: { id, isOwn: false }, held: [], looking: [], wait: 20 };
  const sources = { calls, looks, changes: () => 1 };
  const ask = () => awaitNews(ctx, sources, { ...question, gone: gone.signal });
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
  ctx.hub.publish('changed', { projectId: 1, noun: 'repositories' });
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
  ctx.hub.publish('changed', { projectId: 1, noun: 'repositories' });
  await Promise.all(
    all.map(async (news) => {
      await news;
      rounds.add(round);
    }),
  );
  clearImmediate(next);
  expect(rounds.size).toBeGreaterThan(2);
});
