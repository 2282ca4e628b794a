import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Work that ends when it is told to. */
function piece() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = { hasBegun: false, resolve, reject };
  return Object.assign(work, {
    run: () => {
      work.hasBegun = true;
      return promise;
    },
  });
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('only so many work at once, and the others follow in their order', async () => {
  const semaphore = new Semaphore(2);
  const pieces = [piece(), piece(), piece(), piece()];
  const [one, two, three, four] = pieces;
  const results = pieces.map((work) => semaphore.run(work.run));
  await settle();
  expect(pieces.map(({ hasBegun }) => hasBegun)).toEqual([true, true, false, false]);
  expect([semaphore.available, semaphore.pending]).toEqual([0, 4]);
  two?.resolve('two');
  await settle();
  expect(pieces.map(({ hasBegun }) => hasBegun)).toEqual([true, true, true, false]);
  for (const work of [one, three, four]) work?.resolve('other');
  expect(await Promise.all(results)).toEqual(['other', 'two', 'other', 'other']);
  expect([semaphore.available, semaphore.pending]).toEqual([2, 0]);
});

test('work that fails leaves its slot', async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next');
});

test('a signal ends the wait for a slot, and the next one gets it', async () => {
  const semaphore = new Semaphore(1);
  const [first, last] = [piece(), piece()];
  const controller = new AbortController();
  const running = semaphore.run(first.run);
  const given = semaphore.run(() => Promise.resolve('never'), controller.signal);
  const following = semaphore.run(last.run);
  controller.abort(new Error('no longer'));
  await expect(given).rejects.toThrow('no longer');
  first.resolve('first');
  await settle();
  expect(last.hasBegun).toBe(true);
  last.resolve('last');
  expect(await Promise.all([running, following])).toEqual(['first', 'last']);
});

test('is idle when the last piece has ended', async () => {
  const semaphore = new Semaphore(1);
  await semaphore.whenIdle();
  const [first, last] = [piece(), piece()];
  const both = Promise.all([semaphore.run(first.run), semaphore.run(last.run)]);
  let isIdle = false;
  const idle = semaphore.whenIdle().then(() => (isIdle = true));
  first.resolve('first');
  await settle();
  expect(isIdle).toBe(false);
  last.resolve('last');
  await Promise.all([idle, both]);
});
