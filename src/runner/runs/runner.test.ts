// Tests that the queue is asked after every call, at whatever moment it comes, and again after a failure.

import { expect, test } from 'vitest';
import type { RunnerTask } from '#shared/api/runner-api.ts';
import { watchedLog } from '../../../test/helpers/kept-secrets.ts';
import { quietQueue } from '../../../test/helpers/quiet-queue.ts';
import { runnerSettings } from '../../../test/helpers/runner-settings.ts';
import { until } from '../../../test/helpers/until.ts';
import type { RunnerApi, RunContext } from '../api/runner-api.ts';
import type { TaskQueue } from '../api/task-queue.ts';
import { Runner } from './runner.ts';

async function* nothing(): AsyncGenerator<RunnerTask> {}

/** A queue that counts how often it is asked for tasks; `meanwhile` happens each time. */
function countingQueue(meanwhile: (asked: number, call: () => void) => void) {
  let call = (): void => undefined;
  let asked = 0;
  const queue: TaskQueue = {
    ...quietQueue,
    async *receive() {
      asked += 1;
      meanwhile(asked, call);
      yield* nothing();
    },
    onReady(listener) {
      call = listener;
      return () => undefined;
    },
  };
  return { queue, asked: () => asked };
}

/** A runner that has no task asks its runner API for nothing but what may be removed. */
const runnerApi = {
  filterExisting: (found) => Promise.resolve(found),
} as Partial<RunnerApi> as RunnerApi;

const context = async (): Promise<RunContext> => ({
  config: await runnerSettings(),
  clock: { now: () => new Date() },
  log: watchedLog(),
  runnerApi,
});

test('a call while the queue is asked leads to another round', async () => {
  // In the first three rounds; the fourth is left in peace.
  const counting = countingQueue((asked, call) => {
    if (asked <= 3) call();
  });
  const runner = new Runner(await context(), counting.queue);
  await runner.start();
  expect(await until(() => counting.asked() === 4)).toBe(true);
  await runner.close();
  expect(counting.asked()).toBe(4);
});

test('a queue that fails is asked again a moment later', async () => {
  const counting = countingQueue((asked) => {
    if (asked === 1) throw new Error('The server is away');
  });
  const runner = new Runner(await context(), counting.queue);
  await runner.start();
  expect(await until(() => counting.asked() === 2)).toBe(true);
  await runner.close();
});
