import { expect, onTestFinished, test, vi } from 'vitest';
import type { NewLines } from '../desk/desk.ts';
import { createTaskLog, type TaskLog } from './task-log.ts';

const task = { id: 1, project_id: 1, lease: 1 };

/** A desk that stores a batch when the test lets it. */
function createDesk() {
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
          clock: { now: () => new Date() } as never,
          desk: {
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
  const desk = createDesk();
  const log = await desk.log();
  await log.say(['first']);
  await turn();
  await log.say(['second']);
  await log.say(['third']);
  await turn();
  expect(desk.stored).toEqual([{ from: 1, outputs: ['first'] }]);
  desk.answer();
  await expect.poll(() => desk.stored.length).toBe(2);
  expect(desk.stored[1]).toEqual({ from: 2, outputs: ['second', 'third'] });
  desk.answer();
  await log.flush();
});

test('more lines are taken while earlier ones are stored, but not without end', async () => {
  const desk = createDesk();
  const log = await desk.log();
  const much = 'x'.repeat(600 * 1024);
  await log.say([much]);
  await turn();
  await log.say([much]);
  let isTaken = false;
  const taken = log.say([much]).then(() => {
    isTaken = true;
  });
  await turn();
  expect({ isTaken, onTheirWay: desk.waiting() }).toEqual({ isTaken: false, onTheirWay: 1 });
  desk.answer();
  await taken;
  expect(desk.stored.map(({ from }) => from)).toEqual([1, 2]);
  desk.answer();
  await log.flush();
});

test('many logs store few large batches at once, and a small one does not wait for them', async () => {
  const desk = createDesk();
  const large = 'x'.repeat(100 * 1024);
  const logs = await Promise.all(Array.from({ length: 5 }, () => desk.log()));
  for (const log of logs) await log.say([large]);
  await turn();
  expect(desk.waiting()).toBe(2);
  const quiet = await desk.log();
  await quiet.say(['small']);
  await turn();
  expect(desk.stored.at(-1)).toEqual({ from: 1, outputs: ['small'] });
  const flushed = Promise.all([quiet, ...logs].map((log) => log.flush()));
  await expect
    .poll(() => {
      expect(desk.waiting()).toBeLessThanOrEqual(3);
      desk.answer();
      return desk.stored.length;
    })
    .toBe(6);
  desk.answer();
  await flushed;
});

test('what is said before the first step comes with it', async () => {
  const desk = createDesk();
  const log = desk.newLog();
  await log.say(['first']);
  await log.say(['second']);
  const taken = await log.storeWith((lines) => Promise.resolve(lines));
  expect(taken?.lines.map(({ output }) => output)).toEqual(['first', 'second']);
  await log.say(['of the program']);
  await turn();
  expect(desk.stored).toEqual([{ from: 3, outputs: ['of the program'] }]);
  desk.answer();
  await log.flush();
});

test('without a step it is stored soon', async () => {
  const desk = createDesk();
  const log = desk.newLog();
  await log.say(['first']);
  await expect.poll(() => desk.stored).toEqual([{ from: 1, outputs: ['first'] }]);
  desk.answer();
  await log.flush();
});

/** A log with lines that were said while an earlier one was stored, after which it rests. */
async function restingLog(
  desk: ReturnType<typeof createDesk>,
  ...said: [lines: string[], offset?: number]
): Promise<TaskLog> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const log = await desk.log();
  await log.say(['earlier']);
  await turn();
  await log.say(...said);
  vi.advanceTimersByTime(1000);
  desk.answer();
  await turn();
  return log;
}

test('a call stores the lines that wait, and those that follow come after it', async () => {
  const desk = createDesk();
  const log = await restingLog(desk, ['first', 'second'], 7);
  const taken = Promise.withResolvers<string>();
  const called = log.storeWith((lines) => {
    expect(lines).toMatchObject({ from: 2, spoolOffset: 7 });
    expect(lines?.lines.map(({ output }) => output)).toEqual(['first', 'second']);
    return taken.promise;
  });
  await log.say(['third']);
  await turn();
  expect(desk.stored.length).toBe(1);
  taken.resolve('done');
  expect(await called).toBe('done');
  const stored = log.flush();
  await expect.poll(() => desk.stored[1]).toEqual({ from: 4, outputs: ['third'] });
  desk.answer();
  await stored;
  expect(await log.storeWith((lines) => Promise.resolve(lines))).toBeNull();
});

test('lines on their way and large batches are stored before the call', async () => {
  const desk = createDesk();
  const log = await desk.log();
  await log.say(['first']);
  await turn();
  await log.say(['x'.repeat(70 * 1024)]);
  const called = log.storeWith((lines) => Promise.resolve(lines));
  desk.answer();
  await expect.poll(() => desk.stored.length).toBe(2);
  desk.answer();
  expect(await called).toBeNull();
});

test('the lines of a call that fails are stored later, in their place', async () => {
  const desk = createDesk();
  const log = await restingLog(desk, ['first']);
  const refused = log.storeWith(() => Promise.reject(new Error('refused')));
  await expect(refused).rejects.toThrow('refused');
  await log.say(['second']);
  const stored = log.flush();
  await expect.poll(() => desk.stored[1]).toEqual({ from: 2, outputs: ['first', 'second'] });
  desk.answer();
  await stored;
});
