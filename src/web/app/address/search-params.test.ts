import { expect, test } from 'vitest';
import { day, edited, oneOf, positive, searchOf, text, trail } from './search-params.ts';

test.each([
  ['a positive number', positive, 5, 5],
  ['a number in quotes', positive, '5', 5],
  ['no zero', positive, 0, undefined],
  ['no fraction', positive, 1.5, undefined],
  ['no number beyond the exact ones', positive, 1e16, undefined],
  ['no null as a number', positive, null, undefined],
  ['a text', text, 'web', 'web'],
  ['a number as a text', text, 80, '80'],
  ['what was typed, also null', text, null, 'null'],
  ['a day', day, '2026-11-21', '2026-11-21'],
  ['no day that is none', day, '2026-13-01', undefined],
  ['a trail', trail, '.90.60', '.90.60'],
  ['no trail without numbers', trail, '.a', undefined],
  ['one of several values', oneOf(['graph', 'list']), 'list', 'list'],
  ['no other value', oneOf(['graph', 'list']), 'tree', undefined],
  ['a new thing', edited, 'new', 'new'],
  ['an edited thing', edited, 7, 7],
  ['no other thing', edited, 'old', undefined],
])('reads %s', (_title, read, given, expected) => {
  expect(read(given)).toBe(expected);
});

test('reads the named parameters and no others', () => {
  const { parse } = searchOf({ q: text, page: positive });
  expect(parse({ q: 'web', page: 'x', other: 1 })).toStrictEqual({ q: 'web', page: undefined });
});
