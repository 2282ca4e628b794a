import { expect, test } from 'vitest';
import { type BarPart, indexAfter, indexAt, shapesOf } from './bar-shapes.ts';

const size = { width: 30, height: 20 };

test('draws all bars of a result as one path of whole pixels', () => {
  const bars: BarPart[][] = [
    [{ result: 'success', share: 1 }],
    [{ result: 'error', share: 0.5 }],
    [{ result: 'success', share: 0.25 }],
  ];
  expect(shapesOf(bars, size)).toEqual([
    {
      result: 'success',
      boxes: 'M1.5 0.5h7v19h-7zM21.5 15.5h7v4h-7z',
      tops: 'M1 1h8M21 16h8',
    },
    { result: 'error', boxes: 'M11.5 10.5h7v9h-7z', tops: 'M11 11h8' },
  ]);
});

test('stacks the parts of a bar, the last one at the bottom; the smallest part is visible', () => {
  const parts: BarPart[] = [
    { result: 'error', share: 0.001 },
    { result: 'success', share: 0.5 },
  ];
  expect(shapesOf([parts], size).map(({ result, boxes }) => [result, boxes])).toEqual([
    ['success', 'M3.5 10.5h23v9h-23z'],
    ['error', 'M3.5 9.5h23v0h-23z'],
  ]);
});

test('finds the bar at an x coordinate', () => {
  expect([-1, 0, 9.9, 10, 29.9, 30].map((x) => indexAt(x, 3, 30))).toEqual([
    null,
    0,
    0,
    1,
    2,
    null,
  ]);
  expect(indexAt(0, 0, 0)).toBeNull();
});

test('arrow keys stay within the strip, and other keys move nowhere', () => {
  expect([0, 1, 2].map((index) => indexAfter('ArrowLeft', index, 3))).toEqual([0, 0, 1]);
  expect([0, 1, 2].map((index) => indexAfter('ArrowRight', index, 3))).toEqual([1, 2, 2]);
  expect([indexAfter('Home', 1, 3), indexAfter('End', 1, 3)]).toEqual([0, 2]);
  expect(indexAfter('Enter', 1, 3)).toBeNull();
});
