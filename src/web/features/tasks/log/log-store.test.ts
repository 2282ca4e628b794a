import { expect, test } from 'vitest';
import type { LogLine } from '#shared/api/task-log.ts';
import { pageLines } from './log-pages.ts';
import { createLogStore } from './log-store.ts';

const line = (number: number): LogLine => ({
  time: '2026-01-01T00:00:00.000Z',
  output: `line ${number}`,
});
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => line(from + index));

function storeOf(stored: number) {
  const asked: number[] = [];
  const store = createLogStore((from, limit) => {
    asked.push(from);
    const count = Math.max(0, Math.min(limit, stored - from + 1));
    return Promise.resolve({ from, total: stored, lines: lines(from, count) });
  });
  return { store, asked };
}

/** The numbers from one to another, both included. */
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('keeps a line once, however often it arrives', () => {
  const { store } = storeOf(0);
  store.append(1, lines(1, 10));
  store.append(6, lines(6, 10));
  expect(store.total()).toBe(15);
  expect(store.cursor()).toBe(15);
  expect(store.line(6)?.output).toBe('line 6');
  expect(store.line(15)?.output).toBe('line 15');
  expect(store.line(16)).toBeUndefined();
});

test('loads a page of long lines in as many answers as it comes in', async () => {
  const asked: [number, number][] = [];
  const store = createLogStore((from, limit) => {
    asked.push([from, limit]);
    return Promise.resolve({ from, total: 475, lines: lines(from, Math.min(100, 476 - from)) });
  });
  store.setTotal(475);
  store.need(range(400, 420));
  await settled();
  expect(asked).toEqual([
    [251, 250],
    [351, 150],
    [451, 50],
  ]);
  expect([store.line(251)?.output, store.line(475)?.output]).toEqual(['line 251', 'line 475']);
});

test('loads only the pages that are looked at, each once', async () => {
  const { store, asked } = storeOf(1_000_000);
  store.setTotal(1_000_000);
  store.need(range(499_990, 500_010));
  store.need(range(499_990, 500_010));
  await settled();
  expect(asked).toEqual([499_751, 500_001]);
  expect(store.line(500_000)?.output).toBe('line 500000');
  expect(store.line(1)).toBeUndefined();
});

test('fills the lines before a live tail from storage', async () => {
  const { store, asked } = storeOf(5000);
  store.setTotal(5000);
  store.startAfter(3500);
  store.append(3501, lines(3501, 1500));
  store.need(range(4000, 4050));
  expect(asked).toEqual([]);
  store.need(range(3490, 3510));
  await settled();
  expect(asked).toEqual([3251]);
  expect(store.line(3500)?.output).toBe('line 3500');
  expect(store.cursor()).toBe(5000);
});

test('holds a bounded number of lines and loads what it let go again', async () => {
  const { store, asked } = storeOf(1_000_000);
  for (let from = 1; from <= 400 * pageLines; from += pageLines) {
    store.append(from, lines(from, pageLines));
  }
  let held = 0;
  for (let page = 0; page < 400; page++) if (store.line(page * pageLines + 1)) held++;
  expect(held).toBeLessThanOrEqual(240);
  expect(store.line(400 * pageLines)).toBeDefined();
  const gone = Array.from({ length: 400 }, (_, page) => page * pageLines + 1).find(
    (number) => !store.line(number),
  );
  store.need([gone ?? 0]);
  await settled();
  expect(asked).toEqual([gone]);
  expect(store.line(gone ?? 0)).toBeDefined();
});

test('does not ask at once again for a page that failed', async () => {
  let calls = 0;
  const store = createLogStore(() => {
    calls++;
    return Promise.reject(new Error('offline'));
  });
  store.setTotal(100);
  store.need(range(1, 50));
  await settled();
  store.need(range(1, 50));
  await settled();
  expect(calls).toBe(1);
});

test('asks for a few pages at once, and forgets what is wanted no more', async () => {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const store = createLogStore((from, limit) => {
    asked.push(from);
    return new Promise((resolve) => {
      answers.push(() => resolve({ from, total: 100_000, lines: lines(from, limit) }));
    });
  });
  store.setTotal(100_000);
  store.need([1, 251, 501, 751, 1001, 1251]);
  expect(asked).toEqual([1, 251, 501, 751]);
  // The page was scrolled on meanwhile.
  store.need([50_001]);
  for (const answer of answers) answer();
  await settled();
  expect(asked).toEqual([1, 251, 501, 751, 50_001]);
});
