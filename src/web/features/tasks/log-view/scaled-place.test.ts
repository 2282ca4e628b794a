import { expect, test } from 'vitest';
import {
  advance,
  barFor,
  lastPlace,
  maxHeight,
  pixelsBetween,
  placeAfter,
  placeForKey,
  placeForRow,
  rowHeight,
  sameHeight,
} from './scaled-place.ts';

const viewport = 600;
const million = {
  topMax: 1_000_000 * rowHeight - viewport,
  barMax: maxHeight - viewport,
  viewport,
  heightOf: sameHeight,
};

test('moves one to one in a list that fits', () => {
  const fits = { topMax: 5000, barMax: 5000, viewport, heightOf: sameHeight };
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
  expect(placeForRow(row, { top, viewport: 1000, topMax: 19_000, heightOf: sameHeight })).toBe(
    place,
  );
});

/** Every tenth row is wrapped to five lines. */
const wrapped = (row: number): number => (row % 10 === 0 ? 100 : rowHeight);

test.each([
  // Row 0 is 100 px high, rows 1 to 9 are 20 px each.
  [0, 50, 0.5],
  [0, 100, 1],
  [0, 120, 2],
  [0, 280, 10],
  [0, 330, 10.5],
  [10.5, -330, 0],
  [10.5, -50, 10],
  [12, -20, 11],
])('among rows of different heights, row %d and %d pixels on is row %d', (from, pixels, to) => {
  expect(advance(from * rowHeight, pixels, wrapped) / rowHeight).toBeCloseTo(to);
});

test('moves there and back over wrapped rows without drifting', () => {
  for (let pixels = 1; pixels < 900; pixels += 37) {
    const there = advance(4321, pixels, wrapped);
    expect(advance(there, -pixels, wrapped)).toBeCloseTo(4321);
    const row = 200;
    const way = pixelsBetween(row, there, wrapped) - pixelsBetween(row, 4321, wrapped);
    expect(way).toBeCloseTo(pixels);
  }
});

test.each([
  // Of the last 50 rows, rows 40 to 49 are 280 px high together.
  [50, 280, 40],
  [50, 330, 39 - 1.5],
  [50, 230, 40.5],
  [3, 1000, 0],
])('the end of %d wrapped rows in %d pixels is at row %d', (rows, room, row) => {
  expect(lastPlace(rows, room, wrapped) / rowHeight).toBeCloseTo(row);
});

test('does not move for a wrapped row that is seen whole, and centres another one', () => {
  const here = { top: 0, viewport: 200, topMax: 19_000, heightOf: wrapped };
  expect(placeForRow(5, here)).toBe(0);
  expect(placeForRow(6, here) / rowHeight).toBeCloseTo(1);
  expect(placeForRow(20, here) / rowHeight).toBeCloseTo(15);
});
