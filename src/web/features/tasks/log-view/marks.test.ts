import { expect, test } from 'vitest';
import { parseAnsi } from './ansi.ts';
import { markHits } from './marks.ts';

const marked = (line: string, pattern: RegExp | null): string =>
  markHits(parseAnsi(line), pattern)
    .map(({ text, isHit }) => (isHit ? `<${text}>` : text))
    .join('|');

test.each([
  ['nothing here', 'nothing here'],
  ['hit', '<hit>'],
  ['a hit and a Hit', 'a |<hit>| and a |<Hit>'],
  ['hithit', '<hit>|<hit>'],
  ['a h\u001b[31mi\u001b[0mt b', 'a |<h>|<i>|<t>| b'],
  ['\u001b[31mhit\u001b[0m b', '<hit>| b'],
])('marks every hit in %j', (line, expected) => {
  expect(marked(line, /hit/gi)).toBe(expected);
});

test('marks nothing when nothing is looked for', () => {
  expect(marked('a hit', null)).toBe('a hit');
});
