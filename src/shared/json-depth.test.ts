import { expect, test } from 'vitest';
import { exceeds, isDeeperThan } from './json-depth.ts';

test.each([
  ['nothing', '', 0],
  ['a value', '1', 0],
  ['an object', '{"a": 1}', 1],
  ['one after the other', '[[], {}, [1]]', 2],
  ['brackets in texts', '["[[[{{{", {"]]]": "}}}"}]', 2],
  ['quotes in texts', String.raw`["\"[[[", "\\", [1], "\\\"[["]`, 2],
  ['a text without an end', '["[[[[[', 1],
  ['brackets without an end', '[{[{', 4],
  ['too many ends', ']]]][[', 0],
])('%s: its levels are counted', (_title, text, depth) => {
  const passed = [0, 1, 2, 3, 4].find((limit) => !isDeeperThan(limit, text));
  expect(passed).toBe(depth);
});

test('it takes no longer than the text is long', () => {
  const long = 4 * 1024 * 1024;
  for (const text of ['['.repeat(long), '"\\"'.repeat(long), `"${'\\'.repeat(long)}`]) {
    const begun = Date.now();
    isDeeperThan(100, text);
    expect(Date.now() - begun).toBeLessThan(2000);
  }
});

test.each([
  ['{"a": 1, "b": [1, 2, 3, 4], "c": {"d": 1}}', null],
  ['{"a": 1, "b": {"c": 1, "d": 2, "e": 3, "f": 4}}', 'fields'],
  ['[{"a": 1}, {"b": 1}, {"c": 1}, {"d": 1}]', null],
  ['[[1, 2, 3, 4, 5, 6, 7, 8, 9]]', null],
  ['[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]', 'values'],
  [']]]},,,,{"a": 1}', null],
  ['[[[[[', 'depth'],
])('%s exceeds %s', (text, exceeded) => {
  expect(exceeds({ depth: 4, values: 12, fields: 3 }, text)).toBe(exceeded);
});
