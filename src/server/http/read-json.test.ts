import { describe, expect, test } from 'vitest';
import { readJson } from './read-json.ts';

test('reads what is JSON', () => {
  expect(readJson(' {"a": [1, -2.5e3, "x\\n", true, null]} ')).toEqual({
    a: [1, -2500, 'x\n', true, null],
  });
});

describe('names the position of the error', () => {
  const cases: [text: string, position: number][] = [
    ['', 0],
    ['   ', 3],
    ['x', 0],
    ['{"name": x}', 9],
    ['{"name":   "a", "b": }', 21],
    ['{"name":: 1}', 8],
    ['{', 1],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['[1,', 3],
    ['[1, ,2]', 4],
    ['[,]', 1],
    ['[1,]', 3],
    ['[] x', 3],
    ['"abc', 4],
    ['{"a": "b\\"c", "d": tru}', 19],
    ["{'a': 1}", 1],
    ['{"a":NaN}', 5],
    ['\ufeff{}', 0],
    ['<html>', 0],
  ];
  test.each(cases)('%j: %i', (text, position) => {
    expect(() => readJson(text)).toThrow(new RegExp(` at position ${position}(?!\\d)`));
  });
});

test('does not search a large text', () => {
  expect(() => readJson(`["${'a'.repeat(70_000)}", x]`)).toThrow(SyntaxError);
});
