import { expect, test } from 'vitest';
import type { ResultState } from '#shared/api/run-results.ts';
import { countStates } from '../results/outcomes.ts';
import type { Bar } from './result-columns.ts';
import { barAt, extentOf, shapesOf, stackOf } from './shapes.ts';

const scale = { from: 1000, rate: 0.1, width: 200 };
const bar = (begin: number, end: number, state: ResultState = 'ok'): Bar => ({
  begin,
  end,
  state,
  section: 2,
});
const counts = countStates([]);

test('a bar is drawn from its begin to its end, cut at the edges, and never too narrow to be seen', () => {
  expect(extentOf(bar(1500, 1800), scale)).toEqual({ x: 50, width: 30 });
  expect(extentOf(bar(1500, 1501), scale)).toEqual({ x: 50, width: 2 });
  expect(extentOf(bar(1500, 1501, 'failed'), scale)).toEqual({ x: 50, width: 4 });
  expect(extentOf(bar(0, 900), scale)).toBeNull();
  expect(extentOf(bar(3100, 4000), scale)).toBeNull();
  expect(extentOf(bar(-1_000_000, 1_000_000), scale)).toEqual({ x: -10, width: 220 });
});

test('a lane has a path for each result, the worst on top', () => {
  const bars = [
    bar(1000, 1100),
    bar(1200, 1300, 'failed'),
    bar(1400, 1500),
    bar(1600, 1700, 'changed'),
  ];
  expect(shapesOf(bars, scale)).toEqual([
    { state: 'ok', path: 'M0 10h10v8h-10zM40 10h10v8h-10z' },
    { state: 'changed', path: 'M60 8h10v12h-10z' },
    { state: 'failed', path: 'M20 4h10v20h-10z' },
  ]);
});

test('ten thousand bars in a lane have no longer path than its pixels', () => {
  const bars = Array.from({ length: 10_000 }, (_, index) =>
    bar(1000 + index / 10, 1000 + index / 10),
  );
  expect(shapesOf(bars, scale)).toEqual([{ state: 'ok', path: 'M0 10h102v8h-102z' }]);
});

test('the bar of a task is divided by results, and one failure of a thousand hosts is seen', () => {
  const shapes = stackOf(bar(1000, 2000), { ...counts, ok: 750, changed: 249, failed: 1 }, scale);
  expect(shapes).toEqual([
    { state: 'failed', path: 'M0 19.7h100v3.3h-100z' },
    { state: 'changed', path: 'M0 16.1h100v3.7h-100z' },
    { state: 'ok', path: 'M0 5h100v11.1h-100z' },
  ]);
  expect(stackOf(bar(1000, 2000, 'skipped'), counts, scale)).toEqual([
    { state: 'skipped', path: 'M0 13h100v2h-100z' },
  ]);
  expect(stackOf(bar(0, 10), { ...counts, ok: 1 }, scale)).toEqual([]);
});

test('the pointer finds the bar under it, or the closest one', () => {
  const bars = [bar(1000, 1100), bar(1200, 1300), bar(2000, 2001)];
  expect(barAt(bars, 5, scale)).toBe(0);
  expect(barAt(bars, 18, scale)).toBe(1);
  expect(barAt(bars, 104, scale)).toBe(2);
  expect(barAt(bars, 60, scale)).toBe(-1);
});
