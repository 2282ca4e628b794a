// Also on PostgreSQL: its queue calls by another way.
// When the queue is asked: at every call, however it falls, and again after a failure.

import { expect, test } from 'vitest';
import { testApp } from '../../../test/helpers/app.ts';
import { until } from '../../../test/helpers/until.ts';
import type { ClaimedTask } from '../../server/tasks/claim.ts';
import { databaseChores } from '../housekeeper.ts';
import { runContext } from '../../server/runner-desk/local-desk.ts';
import type { Queue } from '../queue.ts';
import { Runner } from '../runner.ts';

async function* nothing(): AsyncGenerator<ClaimedTask> {}

type Question = 'take' | 'nextTime';

/** A queue that counts how often it is asked; `meanwhile` happens at each of its two questions. */
function countingQueue(meanwhile: (question: Question, asked: number, call: () => void) => void) {
  let call = (): void => undefined;
  let asked = 0;
  const queue: Queue = {
    async *take() {
      asked += 1;
      meanwhile('take', asked, call);
      yield* nothing();
    },
    nextTime() {
      meanwhile('nextTime', asked, call);
      return Promise.resolve(null);
    },
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    listLeftBehind: () => Promise.resolve([]),
    listTaken: () => Promise.resolve([]),
    listParked: () => Promise.resolve([]),
    onStop: () => () => undefined,
    onChange: () => () => undefined,
    onReady(listener) {
      call = listener;
      return () => undefined;
    },
  };
  return { queue, asked: () => asked };
}

for (const moment of ['take', 'nextTime'] as const) {
  test(`a call while a round is at "${moment}" leads to another round`, async () => {
    const { ctx } = await testApp();
    // In the first three rounds; the fourth is left in peace.
    const counting = countingQueue((question, asked, call) => {
      if (question === moment && asked <= 3) call();
    });
    const runner = new Runner(runContext(ctx), counting.queue, databaseChores(ctx));
    await runner.start();
    expect(await until(() => counting.asked() === 4)).toBe(true);
    await runner.close();
    expect(counting.asked()).toBe(4);
  });
}

test('a queue that fails is asked again a moment later', async () => {
  const { ctx } = await testApp();
  const counting = countingQueue((question, asked) => {
    if (question === 'take' && asked === 1) throw new Error('The database is away');
  });
  const runner = new Runner(runContext(ctx), counting.queue, databaseChores(ctx));
  await runner.start();
  expect(await until(() => counting.asked() === 2)).toBe(true);
  await runner.close();
});
