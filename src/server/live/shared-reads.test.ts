import { expect, test } from 'vitest';
import type { LogLine } from '#shared/api/task-log.ts';
import { createHub } from './hub.ts';
import { shareReads } from './shared-reads.ts';

const event = { projectId: 1, taskId: 7, from: 1, total: 1 };

/** A log whose reads settle when the test lets them. */
function slowLog() {
  const waiting: (() => void)[] = [];
  const once = <T>(value: T) => new Promise<T>((resolve) => waiting.push(() => resolve(value)));
  return {
    waiting,
    source: {
      read: () => once<LogLine[]>([{ time: '', output: `read ${waiting.length}` }]),
      progress: () => once({ lines: waiting.length, isFinished: false }),
    },
  };
}

test('readers that ask at the same moment share one read, and later ones get their own', async () => {
  const { waiting, source } = slowLog();
  const shared = shareReads(createHub(), () => source);
  const [one, other] = [shared.logOf(7).read(1, 10), shared.logOf(7).read(1, 10)];
  const further = shared.logOf(7).read(11, 10);
  expect(waiting).toHaveLength(2);
  for (const settle of waiting) settle();
  expect(await one).toBe(await other);
  expect(await further).not.toBe(await one);
  void shared.logOf(7).read(1, 10);
  expect(waiting).toHaveLength(3);
  shared.close();
});

test.each([
  ['log', (hub: ReturnType<typeof createHub>) => hub.publish('log.appended', event)],
  ['missed', (hub: ReturnType<typeof createHub>) => hub.publish('hub.events-missed', {})],
])('a reader that hears of news (%s) gets nothing that was read before', async (_topic, tell) => {
  const { waiting, source } = slowLog();
  const hub = createHub();
  const shared = shareReads(hub, () => source);
  const before = shared.logOf(7).progress();
  tell(hub);
  const after = shared.logOf(7).progress();
  expect(waiting).toHaveLength(2);
  for (const settle of waiting) settle();
  expect((await before)?.lines).toBe(0);
  expect((await after)?.lines).toBe(1);
  shared.close();
});

test('a failed read is not shared with later readers', async () => {
  let fails = true;
  const progress = () =>
    fails ? Promise.reject(new Error('gone')) : Promise.resolve({ lines: 1, isFinished: true });
  const read = () => Promise.resolve([]);
  const shared = shareReads(createHub(), () => ({ read, progress }));
  await expect(shared.logOf(7).progress()).rejects.toThrow('gone');
  fails = false;
  expect(await shared.logOf(7).progress()).toEqual({ lines: 1, isFinished: true });
  shared.close();
});
