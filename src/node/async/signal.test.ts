import { expect, test } from 'vitest';
import { Signal } from './signal.ts';

test('a notification wakes the waiter', async () => {
  const signal = new Signal();
  const wait = signal.wait();
  signal.notify();
  await expect(wait).resolves.toBe(true);
});

test('notifications before the wait count as one', async () => {
  const signal = new Signal();
  signal.notify();
  signal.notify();
  await signal.wait();
  let isOver = false;
  const second = signal.wait().then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  signal.notify();
  await second;
});

test('a wait ends by itself after its time', async () => {
  await expect(new Signal().wait(1)).resolves.toBe(false);
});

test('a signal that fires ends the wait', async () => {
  const controller = new AbortController();
  const wait = new Signal(controller.signal).wait();
  controller.abort();
  await expect(wait).resolves.toBe(true);
});
