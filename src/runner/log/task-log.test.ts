import { expect, test } from 'vitest';
import type { NewLines } from '../desk/desk.ts';
import { createTaskLog } from './task-log.ts';

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
    log: () =>
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
  const log = desk.log();
  await log.add(['first']);
  await turn();
  await log.add(['second']);
  await log.add(['third']);
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
  const log = desk.log();
  const much = 'x'.repeat(600 * 1024);
  await log.add([much]);
  await turn();
  await log.add([much]);
  let isTaken = false;
  const taken = log.add([much]).then(() => {
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
  const logs = Array.from({ length: 5 }, desk.log);
  for (const log of logs) await log.add([large]);
  await turn();
  expect(desk.waiting()).toBe(2);
  const quiet = desk.log();
  await quiet.add(['small']);
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

test('words of the runner are stored together, and at once with a line of a program', async () => {
  const desk = createDesk();
  const log = desk.log();
  await log.say(['first']);
  await log.say(['second']);
  await turn();
  expect(desk.stored).toEqual([]);
  await expect.poll(() => desk.stored.length).toBe(1);
  expect(desk.stored[0]).toEqual({ from: 1, outputs: ['first', 'second'] });
  desk.answer();
  await log.flush();
  // A new log has no rest to take.
  const next = desk.log();
  await next.say(['third']);
  await next.add(['of a program']);
  await turn();
  expect(desk.stored[1]).toEqual({ from: 1, outputs: ['third', 'of a program'] });
  desk.answer();
  await next.flush();
});

test('a call stores the lines that wait, and those that follow come after it', async () => {
  const desk = createDesk();
  const log = desk.log();
  await log.say(['first', 'second'], 7);
  const taken = Promise.withResolvers<string>();
  const called = log.storeWith((lines) => {
    expect(lines).toMatchObject({ from: 1, spoolOffset: 7 });
    expect(lines?.lines.map(({ output }) => output)).toEqual(['first', 'second']);
    return taken.promise;
  });
  await log.add(['third']);
  await turn();
  expect(desk.stored).toEqual([]);
  taken.resolve('done');
  expect(await called).toBe('done');
  await expect.poll(() => desk.stored).toEqual([{ from: 3, outputs: ['third'] }]);
  desk.answer();
  await log.flush();
  expect(await log.storeWith((lines) => Promise.resolve(lines))).toBeNull();
});

test('lines on their way and large batches are stored before the call', async () => {
  const desk = createDesk();
  const log = desk.log();
  await log.add(['first']);
  await turn();
  await log.add(['x'.repeat(70 * 1024)]);
  const called = log.storeWith((lines) => Promise.resolve(lines));
  desk.answer();
  await expect.poll(() => desk.stored.length).toBe(2);
  desk.answer();
  expect(await called).toBeNull();
});

test('the lines of a call that fails are stored later, in their place', async () => {
  const desk = createDesk();
  const log = desk.log();
  await log.say(['first']);
  const refused = log.storeWith(() => Promise.reject(new Error('refused')));
  await expect(refused).rejects.toThrow('refused');
  await log.say(['second']);
  const stored = log.flush();
  await expect.poll(() => desk.stored).toEqual([{ from: 1, outputs: ['first', 'second'] }]);
  desk.answer();
  await stored;
});
