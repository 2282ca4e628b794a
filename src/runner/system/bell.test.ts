import { expect, test } from 'vitest';
import { Bell } from './bell.ts';

test('a ring wakes who waits', async () => {
  const bell = new Bell();
  const wait = bell.wait();
  bell.ring();
  await expect(wait).resolves.toBe(true);
});

test('rings before the wait are one ring, which is heard once', async () => {
  const bell = new Bell();
  bell.ring();
  bell.ring();
  await bell.wait();
  let isOver = false;
  const second = bell.wait().then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  bell.ring();
  await second;
});

test('a wait ends by itself after its time', async () => {
  await expect(new Bell().wait(1)).resolves.toBe(false);
});

test('a signal that fires ends the wait', async () => {
  const controller = new AbortController();
  const wait = new Bell(controller.signal).wait();
  controller.abort();
  await expect(wait).resolves.toBe(true);
});
