import { expect, onTestFinished, test, vi } from 'vitest';
import type { NewLines } from '../api/runner-api.ts';
import { createTaskLog, type TaskLog } from './task-log.ts';

/** Of one runner, which stores few large batches of all its logs at once. */
const config = {};

const task = { id: 1, project_id: 1, lease: 1 };

/** A runner API that stores a batch when the test lets it. */
function createRunnerApi() {
  const stored: { from: number; outputs: string[] }[] = [];
  let store: (() => void)[] = [];
  return {
    stored,
    /** How many batches are on their way. */
    waiting: () => store.length,
    answer() {
      for (const answer of store.splice(0)) answer();
    },
    /** A log whose first rest is over: its first step has begun. */
    async log(): Promise<TaskLog> {
      const log = this.newLog();
      await log.storeWith(() => Promise.resolve());
      return log;
    },
    newLog: () =>
      createTaskLog(
        {
          config: config as never,
          clock: { now: () => new Date() } as never,
          runnerApi: {
            storeLines: (_task: unknown, { from, lines }: NewLines) =>
              new Promise<void>((resolve) => {
                store = [...store, resolve];
                stored.push({ from, outputs: lines.map(({ output }) => output) });
              }),
          } as never,
        },
        task,
        (line) => line,
      ),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the first line is stored at once, and those that come meanwhile together', async () => {
  const runnerApi = createRunnerApi();
  const log = await runnerApi.log();
  await log.say(['first']);
  await turn();
  await log.say(['second']);
  await log.say(['third']);
  await turn();
  expect(runnerApi.stored).toEqual([{ from: 1, outputs: ['first'] }]);
  runnerApi.answer();
  await expect.poll(() => runnerApi.stored.length).toBe(2);
  expect(runnerApi.stored[1]).toEqual({ from: 2, outputs: ['second', 'third'] });
  runnerApi.answer();
  await log.flush();
});

test('more lines are taken while earlier ones are stored, but not without end', async () => {
  const runnerApi = createRunnerApi();
  const log = await runnerApi.log();
  const much = 'x'.repeat(600 * 1024);
  await log.say([much]);
  await turn();
  await log.say([much]);
  let isTaken = false;
  const taken = log.say([much]).then(() => {
    isTaken = true;
  });
  await turn();
  expect({ isTaken, onTheirWay: runnerApi.waiting() }).toEqual({ isTaken: false, onTheirWay: 1 });
  runnerApi.answer();
  await taken;
  expect(runnerApi.stored.map(({ from }) => from)).toEqual([1, 2]);
  runnerApi.answer();
  await log.flush();
});

test('many logs store few large batches at once, and a small one does not wait for them', async () => {
  const runnerApi = createRunnerApi();
  const large = 'x'.repeat(100 * 1024);
  const logs = await Promise.all(Array.from({ length: 5 }, () => runnerApi.log()));
  for (const log of logs) await log.say([large]);
  await turn();
  expect(runnerApi.waiting()).toBe(2);
  const quiet = await runnerApi.log();
  await quiet.say(['small']);
  await turn();
  expect(runnerApi.stored.at(-1)).toEqual({ from: 1, outputs: ['small'] });
  const flushed = Promise.all([quiet, ...logs].map((log) => log.flush()));
  await expect
    .poll(() => {
      expect(runnerApi.waiting()).toBeLessThanOrEqual(3);
      runnerApi.answer();
      return runnerApi.stored.length;
    })
    .toBe(6);
  runnerApi.answer();
  await flushed;
});

test('what is said before the first step comes with it', async () => {
  const runnerApi = createRunnerApi();
  const log = runnerApi.newLog();
  await log.say(['first']);
  await log.say(['second']);
  const taken = await log.storeWith((lines) => Promise.resolve(lines));
  expect(taken?.lines.map(({ output }) => output)).toEqual(['first', 'second']);
  await log.say(['of the program']);
  await turn();
  expect(runnerApi.stored).toEqual([{ from: 3, outputs: ['of the program'] }]);
  runnerApi.answer();
  await log.flush();
});

test('without a step it is stored soon', async () => {
  const runnerApi = createRunnerApi();
  const log = runnerApi.newLog();
  await log.say(['first']);
  await expect.poll(() => runnerApi.stored).toEqual([{ from: 1, outputs: ['first'] }]);
  runnerApi.answer();
  await log.flush();
});

/** A log with lines that were said while an earlier one was stored, after which it rests. */
async function restingLog(
  runnerApi: ReturnType<typeof createRunnerApi>,
  ...said: [lines: string[], offset?: number]
): Promise<TaskLog> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const log = await runnerApi.log();
  await log.say(['earlier']);
  await turn();
  await log.say(...said);
  vi.advanceTimersByTime(1000);
  runnerApi.answer();
  await turn();
  return log;
}

test('a call stores the lines that wait, and those that follow come after it', async () => {
  const runnerApi = createRunnerApi();
  const log = await restingLog(runnerApi, ['first', 'second'], 7);
  const taken = Promise.withResolvers<string>();
  const called = log.storeWith((lines) => {
    expect(lines).toMatchObject({ from: 2, spoolOffset: 7 });
    expect(lines?.lines.map(({ output }) => output)).toEqual(['first', 'second']);
    return taken.promise;
  });
  await log.say(['third']);
  await turn();
  expect(runnerApi.stored.length).toBe(1);
  taken.resolve('done');
  expect(await called).toBe('done');
  const stored = log.flush();
  await expect.poll(() => runnerApi.stored[1]).toEqual({ from: 4, outputs: ['third'] });
  runnerApi.answer();
  await stored;
  expect(await log.storeWith((lines) => Promise.resolve(lines))).toBeNull();
});

test('lines on their way and large batches are stored before the call', async () => {
  const runnerApi = createRunnerApi();
  const log = await runnerApi.log();
  await log.say(['first']);
  await turn();
  await log.say(['x'.repeat(70 * 1024)]);
  const called = log.storeWith((lines) => Promise.resolve(lines));
  runnerApi.answer();
  await expect.poll(() => runnerApi.stored.length).toBe(2);
  runnerApi.answer();
  expect(await called).toBeNull();
});

test('the lines of a call that fails are stored later, in their place', async () => {
  const runnerApi = createRunnerApi();
  const log = await restingLog(runnerApi, ['first']);
  const refused = log.storeWith(() => Promise.reject(new Error('refused')));
  await expect(refused).rejects.toThrow('refused');
  await log.say(['second']);
  const stored = log.flush();
  await expect.poll(() => runnerApi.stored[1]).toEqual({ from: 2, outputs: ['first', 'second'] });
  runnerApi.answer();
  await stored;
});
