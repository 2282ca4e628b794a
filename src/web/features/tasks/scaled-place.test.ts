import { expect, test } from 'vitest';
import {
  barFor,
  maxHeight,
  placeAfter,
  placeForKey,
  placeForRow,
  rowHeight,
} from './scaled-place.ts';

const viewport = 600;
const million = {
  topMax: 1_000_000 * rowHeight - viewport,
  barMax: maxHeight - viewport,
  viewport,
};

test('moves one to one in a list that fits', () => {
  const fits = { topMax: 5000, barMax: 5000, viewport };
  expect(placeAfter({ ...fits, bar: 1234, moved: 1234, top: 0 })).toBe(1234);
});

test('moves a long list by exactly what the wheel turned', () => {
  const top = 7_000_000;
  const bar = barFor(top, million.topMax, million.barMax);
  expect(placeAfter({ ...million, bar: bar + 100, moved: 100, top })).toBe(top + 100);
  expect(placeAfter({ ...million, bar: bar - 100, moved: -100, top })).toBe(top - 100);
});

test('goes by proportion when the scroll bar is dragged', () => {
  const bar = million.barMax / 2;
  expect(placeAfter({ ...million, bar, moved: bar, top: 0 })).toBeCloseTo(million.topMax / 2);
});

test('reaches both ends', () => {
  expect(placeAfter({ ...million, bar: 0, moved: -3, top: 40 })).toBe(0);
  const last = { bar: million.barMax, moved: 3, top: million.topMax - 900 };
  expect(placeAfter({ ...million, ...last })).toBe(million.topMax);
});

test('puts the scroll bar where the place belongs', () => {
  expect(barFor(million.topMax, million.topMax, million.barMax)).toBe(million.barMax);
  expect(barFor(0, million.topMax, million.barMax)).toBe(0);
  expect(barFor(300, 5000, 5000)).toBe(300);
});

test.each([
  ['ArrowDown', 1020],
  ['ArrowUp', 980],
  ['PageDown', 1580],
  ['PageUp', 420],
  ['Home', 0],
  ['End', million.topMax],
  ['a', undefined],
])('knows where %s goes', (key, place) => {
  expect(placeForKey(key, { ...million, top: 1000 })).toBe(place);
});

test.each([
  [5, 0, 0],
  [4, 100, 0],
  [500, 0, 9500],
  [999, 0, 19_000],
])('brings row %i into view from %i', (row, top, place) => {
  expect(placeForRow(row, { top, viewport: 1000, topMax: 19_000 })).toBe(place);
});
