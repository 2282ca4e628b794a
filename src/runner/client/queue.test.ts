import { expect, onTestFinished, test } from 'vitest';
import { longestWait, runnerDesk } from '#shared/api/runner-desk.ts';
import { remoteQueue } from '../../../test/helpers/remote-queue.ts';
import { until } from '../../../test/helpers/until.ts';
import type { Ask } from './ask.ts';

const nothing = {
  tasks: [],
  stops: [],
  taken: [],
  parked: [],
  looks: [],
  changes: 1,
  cleaning_requested: null,
  time: '2026-01-01T00:00:00.000Z',
};

/** How long the requests of a runner may wait, one after the other, with this answer of its server. */
async function waitsWith(answer: object): Promise<number[]> {
  const waits: number[] = [];
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined);
  const ask = ((_endpoint: unknown, { body }: { body: { wait: number; is_leaving: boolean } }) => {
    if (!body.is_leaving) waits.push(body.wait);
    if (waits.length > 8) return over.promise;
    return Promise.resolve(runnerDesk.news.reply.parse(answer));
  }) as unknown as Ask;
  const queue = remoteQueue(ask);
  onTestFinished(async () => {
    over.reject(new Error('The test has ended.'));
    await queue.close();
  });
  await queue.start();
  await until(() => waits.length > 8);
  return waits;
}

test('requests for news wait longer and longer, as long as the server allows', async () => {
  const waits = await waitsWith({ ...nothing, longest_wait: longestWait });
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 20, 20, 20]);
});

test('a server of the first version, which tells no limit, is asked within its limit', async () => {
  expect(await waitsWith(nothing)).toEqual([0, 1, 2, 4, 5, 5, 5, 5, 5]);
});
