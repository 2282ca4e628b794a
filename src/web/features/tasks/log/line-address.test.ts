import { expect, test } from 'vitest';
import { parseLines } from './line-address.ts';

test.each([
  [345, { from: 345, to: 345 }],
  ['345', { from: 345, to: 345 }],
  ['345-350', { from: 345, to: 350 }],
  ['350-345', { from: 345, to: 350 }],
  [undefined, null],
  ['', null],
  ['0', null],
  ['0-3', null],
  ['x', null],
  ['1-2-3', null],
  ['99999999999', null],
])('the address %s names %o', (text, lines) => {
  expect(parseLines(text)).toEqual(lines);
});
