import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/helpers/until.ts';
import { CoalescingLoop } from './coalescing-loop.ts';

function counted(run: (count: number, trigger: () => void) => Date | null) {
  let count = 0;
  const loop: CoalescingLoop = new CoalescingLoop({
    clock: { now: () => new Date() },
    async run() {
      count += 1;
      await Promise.resolve();
      return run(count, () => loop.trigger());
    },
    onError: () => undefined,
  });
  onTestFinished(() => loop.close());
  return { loop, count: () => count };
}

test('a trigger during a run starts another run', async () => {
  const { loop, count } = counted((done, trigger) => {
    if (done <= 3) trigger();
    return null;
  });
  loop.trigger();
  expect(await until(() => count() === 4)).toBe(true);
  await loop.close();
  expect(count()).toBe(4);
});

test('a run starts at the time that the last one returned', async () => {
  const { loop, count } = counted((done) => (done < 3 ? new Date(Date.now() + 5) : null));
  loop.trigger();
  expect(await until(() => count() === 3)).toBe(true);
});

test('a run that fails is reported and repeated after a delay', async () => {
  const { loop, count } = counted((done) => {
    if (done === 1) throw new Error('The database is away');
    return null;
  });
  loop.trigger();
  expect(await until(() => count() === 1 && loop.hasFailed)).toBe(true);
  expect(await until(() => count() === 2)).toBe(true);
  expect(await until(() => !loop.hasFailed)).toBe(true);
});

test('a closed one does nothing more', async () => {
  const { loop, count } = counted(() => new Date(Date.now() + 5));
  loop.trigger();
  await loop.close();
  const then = count();
  loop.trigger();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(count()).toBe(then);
});
