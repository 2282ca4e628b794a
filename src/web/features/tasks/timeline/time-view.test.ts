import { expect, test } from 'vitest';
import { moved, parseView, revealed, viewText, zoomed } from './time-view.ts';

const length = 100_000;
const whole = { from: 0, span: length };

test('the time under the pointer stays where it is', () => {
  expect(zoomed(whole, 2, 50_000, length)).toEqual({ from: 25_000, span: 50_000 });
  expect(zoomed(whole, 4, 0, length)).toEqual({ from: 0, span: 25_000 });
  expect(zoomed({ from: 25_000, span: 50_000 }, 2, 75_000, length)).toEqual({
    from: 50_000,
    span: 25_000,
  });
});

test('the view never leaves the run, and ends with the whole run or a few milliseconds', () => {
  expect(zoomed({ from: 90_000, span: 10_000 }, 0.5, 100_000, length)).toEqual({
    from: 80_000,
    span: 20_000,
  });
  expect(zoomed({ from: 10, span: 60_000 }, 0.5, 10, length)).toBeNull();
  expect(zoomed({ from: 0, span: 60 }, 10, 0, 100_000)).toEqual({ from: 0, span: 50 });
  expect(moved({ from: 10, span: 50 }, -500, 100)).toEqual({ from: 0, span: 50 });
  expect(moved({ from: 10, span: 50 }, 500, 100)).toEqual({ from: 50, span: 50 });
});

test('a bar outside the view is brought into it, and one inside moves nothing', () => {
  const view = { from: 0, span: 1000 };
  expect(revealed(view, 999, length)).toBe(view);
  expect(revealed(view, 5000, length)).toEqual({ from: 4900, span: 1000 });
});

test.each([
  ['1500-4000', { from: 1500, span: 2500 }],
  ['0-50', { from: 0, span: 50 }],
  ['0-49', null],
  ['4000-1500', null],
  ['-5-100', null],
  ['1.5-4000', null],
  ['x', null],
  [undefined, null],
])('an address with the part %s', (text, view) => {
  expect(parseView(text)).toEqual(view);
});

test.each([
  [{ from: 1500, span: 2500 }, '1500-4000'],
  [{ from: 10.6, span: 49.7 }, '11-61'],
])('the part %j has an address, by which it is read again', (view, text) => {
  expect(viewText(view)).toBe(text);
  expect(viewText(parseView(text) ?? view)).toBe(text);
});
