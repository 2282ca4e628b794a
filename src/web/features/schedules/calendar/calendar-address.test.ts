import { expect, test } from 'vitest';
import { readHours, withHour, writeHours } from './calendar-address.ts';

const day = '2026-12-01';

test.each(['2026-12-01', '2026-12-01T04-02', '2026-12-01T02-25', 'tonight', undefined])(
  '%s names no hours',
  (text) => {
    expect(readHours(text)).toBeNull();
  },
);

test('hours are read as they are written', () => {
  const range = { day, from: 2, to: 4 };
  expect(readHours(writeHours(range))).toEqual(range);
});

test.each([
  ['an hour of another day', { day: '2026-11-30', from: 2, to: 3 }, 5, { day, from: 5, to: 6 }],
  ['the hour after', { day, from: 2, to: 3 }, 3, { day, from: 2, to: 4 }],
  ['the hour before', { day, from: 2, to: 3 }, 1, { day, from: 1, to: 3 }],
  ['an hour apart', { day, from: 2, to: 3 }, 9, { day, from: 9, to: 10 }],
  ['the only hour again', { day, from: 2, to: 3 }, 2, null],
])('a click on %s', (_title, chosen, hour, expected) => {
  expect(withHour(chosen, day, hour)).toEqual(expected);
});
