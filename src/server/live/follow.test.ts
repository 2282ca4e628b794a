import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LogLine } from '#shared/api/task-log.ts';
import { followLog, type LogSource } from './follow.ts';
import { createHub } from './hub.ts';

/** A log in memory that grows while it is read. */
function fakeLog() {
  const hub = createHub();
  const stored: LogLine[] = [];
  let isFinished = false;
  const source: LogSource = {
    async read(from, limit) {
      await soon();
      return stored.slice(from - 1, from - 1 + Math.min(limit, 7));
    },
    async progress() {
      await soon();
      return { lines: stored.length, isFinished };
    },
  };
  const event = (from: number): void =>
    hub.publish('log.appended', { projectId: 1, taskId: 1, from, total: stored.length });
  return {
    hub,
    source,
    write(count: number) {
      const from = stored.length + 1;
      for (let line = 0; line < count; line += 1) {
        stored.push({ time: '2026-01-01T00:00:00.000Z', output: `line ${from + line}` });
      }
      event(from);
    },
    finish() {
      isFinished = true;
      event(stored.length + 1);
    },
  };
}

type FakeLog = ReturnType<typeof fakeLog>;

/** Reads to the end, or until `limit` lines have come. */
async function collect(log: FakeLog, after: number, limit = Infinity) {
  const controller = new AbortController();
  const options = { taskId: 1, after, signal: controller.signal };
  const numbers: number[] = [];
  const outputs: string[] = [];
  const batches = followLog(log.source, log.hub, options);
  for (;;) {
    const next = await batches.next();
    if (next.done) return { numbers, outputs, total: next.value };
    next.value.lines.forEach((line, index) => {
      numbers.push(next.value.from + index);
      outputs.push(line.output);
    });
    if (numbers.length >= limit) {
      controller.abort();
      await batches.return(0);
      return { numbers, outputs, total: null };
    }
  }
}

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('gives a finished log whole, from any cursor', async () => {
  const log = fakeLog();
  log.write(50);
  log.finish();
  for (let after = 0; after <= 50; after += 1) {
    const { numbers, total } = await collect(log, after);
    expect(numbers).toEqual(upTo(after + 1, 50));
    expect(total).toBe(50);
  }
});

test('gives every line once to readers who join at any moment of a burst', async () => {
  const log = fakeLog();
  const readers: Promise<Awaited<ReturnType<typeof collect>>>[] = [];
  for (let round = 0; round < 60; round += 1) {
    readers.push(collect(log, 0));
    log.write(round % 9);
    if (round % 3 === 0) await soon();
  }
  log.finish();
  const all = await Promise.all(readers);
  const total = all[0]?.total ?? 0;
  expect(total).toBeGreaterThan(200);
  for (const { numbers, outputs } of all) {
    expect(numbers).toEqual(upTo(1, total));
    expect(outputs).toEqual(numbers.map((line) => `line ${line}`));
  }
});

test('goes on where it was cut, at every line, while the log grows', async () => {
  const log = fakeLog();
  const writing = (async () => {
    for (let round = 0; round < 40; round += 1) {
      log.write(5);
      await soon();
    }
    log.finish();
  })();
  const seen: number[] = [];
  for (;;) {
    const { numbers, total } = await collect(log, seen.length, 3);
    seen.push(...numbers);
    if (total !== null) break;
  }
  await writing;
  expect(seen).toEqual(upTo(1, 200));
});

test('waits for a log that is quiet, and ends when the task ends without a line', async () => {
  const log = fakeLog();
  const reading = collect(log, 0);
  for (let round = 0; round < 5; round += 1) await soon();
  log.finish();
  expect(await reading).toMatchObject({ numbers: [], total: 0 });
});

test('ends at once when the reader leaves', async () => {
  const log = fakeLog();
  const controller = new AbortController();
  const options = { taskId: 1, after: 0, signal: controller.signal };
  const next = followLog(log.source, log.hub, options).next();
  controller.abort();
  expect(await next).toMatchObject({ done: true });
});

test('ends when the task has been deleted', async () => {
  const log = fakeLog();
  const source: LogSource = { ...log.source, progress: () => Promise.resolve(null) };
  const { signal } = new AbortController();
  const next = followLog(source, log.hub, { taskId: 1, after: 4, signal }).next();
  expect(await next).toEqual({ done: true, value: 4 });
});
