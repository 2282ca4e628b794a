import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LONG_POLL_MAX_SECONDS, runnerApiEndpoints } from '#shared/api/runner-api.ts';
import { remoteQueue } from '../../../test/helpers/remote-queue.ts';
import { until } from '../../../test/helpers/until.ts';
import type { CallServer } from './server-client.ts';

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
  const callServer = ((
    _endpoint: unknown,
    { body }: { body: { wait: number; is_leaving: boolean } },
  ) => {
    if (!body.is_leaving) waits.push(body.wait);
    if (waits.length > 8) return over.promise;
    return Promise.resolve(runnerApiEndpoints.poll.reply.parse(answer));
  }) as unknown as CallServer;
  const queue = remoteQueue(callServer);
  onTestFinished(async () => {
    over.reject(new Error('The test has ended.'));
    await queue.close();
  });
  await queue.start();
  await until(() => waits.length > 8);
  return waits;
}

test('requests for news wait longer and longer, as long as the server allows', async () => {
  const waits = await waitsWith({ ...nothing, longest_wait: LONG_POLL_MAX_SECONDS });
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 20, 20, 20]);
});

test('a server of the first version, which tells no limit, is asked within its limit', async () => {
  expect(await waitsWith(nothing)).toEqual([0, 1, 2, 4, 5, 5, 5, 5, 5]);
});

/** A queue whose requests the test answers one after the other. */
async function answeredQueue() {
  const open: ((answer: object) => void)[] = [];
  const callServer = ((_endpoint: unknown, { body }: { body: { is_leaving: boolean } }) =>
    new Promise((resolve, reject) => {
      if (body.is_leaving) reject(new Error('The test has ended.'));
      open.push((answer) =>
        resolve(runnerApiEndpoints.poll.reply.parse({ ...nothing, ...answer })),
      );
    })) as unknown as CallServer;
  const queue = remoteQueue(callServer);
  const answer = async (news: object): Promise<void> => {
    await until(() => open.length > 0);
    open.shift()?.(news);
    await sleep(5);
  };
  const started = queue.start();
  await answer({});
  await started;
  onTestFinished(async () => {
    const closed = queue.close();
    await answer({});
    await closed;
  });
  return {
    queue,
    answer,
    /** Takes what is given, as a runner with these tasks. */
    async take(held: number[]): Promise<number[]> {
      const taken: number[] = [];
      for await (const { id } of queue.receive(held)) taken.push(id);
      return taken;
    },
  };
}

const given = (id: number): object => ({
  id,
  project_id: 1,
  template_id: 1,
  lease: 1,
  runner_name: '',
  status: 'starting',
  start: null,
  version: null,
  commit_hash: null,
  log_lines: 0,
  spool_offset: 0,
  results: 0,
  step: 0,
  commands: [],
  is_confirmed: false,
  attempt: 1,
  attempts: 1,
  snapshot: {},
  answers: {},
});

test('a task that has ended since the request does not make its answer void', async () => {
  const { queue, answer, take } = await answeredQueue();
  await answer({ tasks: [given(1)] });
  expect(await take([])).toEqual([1]);
  // This answer may be of before the task was taken; the request after it names the task.
  await answer({});
  queue.forgetTask(1);
  await answer({ tasks: [given(2)] });
  expect(await take([])).toEqual([2]);
});

test('a task that was taken after the request is not given by its answer once more', async () => {
  const { queue, answer, take } = await answeredQueue();
  await answer({ tasks: [given(1)] });
  // The queue asks again although the task is not taken yet.
  await sleep(100);
  expect(await take([])).toEqual([1]);
  queue.forgetTask(1);
  await answer({ tasks: [given(1)] });
  expect(await take([])).toEqual([]);
});
