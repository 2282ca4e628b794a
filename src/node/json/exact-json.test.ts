import { expect, test } from 'vitest';
import { parseExactly } from './exact-json.ts';

test.each([
  ['large integers', '{"a":12345678901234567890,"b":[-9007199254740993]}'],
  ['numbers that are written with a point', '{"a":1.0,"b":1.50}'],
  ['nested values', '{"a":{"b":[1,"x",true,null,{"c":0.1}]}}'],
])('keeps %s', (_words, text) => {
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

test('writes out a number with an exponent, which YAML would take for a text', () => {
  expect(JSON.stringify(parseExactly('{"a":1e3}'))).toBe('{"a":1000}');
});
