import { expect, test } from 'vitest';
import { pairLines, parseDiff } from './diff.ts';

const text = `@@ -1,4 +1,4 @@
 Listen 80
-ServerName old
-Timeout 5
+ServerName new
 KeepAlive on
+Extra yes
\\ No newline at end of file
`;

test('lines of a change have their numbers before and after it', () => {
  expect(
    parseDiff(text).map(({ kind, before, after, text: line }) => [kind, before, after, line]),
  ).toEqual([
    ['hunk', null, null, '@@ -1,4 +1,4 @@'],
    ['same', 1, 1, 'Listen 80'],
    ['removed', 2, null, 'ServerName old'],
    ['removed', 3, null, 'Timeout 5'],
    ['added', null, 2, 'ServerName new'],
    ['same', 4, 3, 'KeepAlive on'],
    ['added', null, 4, 'Extra yes'],
    ['note', null, null, '\\ No newline at end of file'],
  ]);
});

test('removed lines stand beside the added lines that follow them', () => {
  const sides = pairLines(parseDiff(text)).map(({ left, right }) => [
    left?.text ?? null,
    right?.text ?? null,
  ]);
  expect(sides).toEqual([
    ['@@ -1,4 +1,4 @@', null],
    ['Listen 80', 'Listen 80'],
    ['ServerName old', 'ServerName new'],
    ['Timeout 5', null],
    ['KeepAlive on', 'KeepAlive on'],
    [null, 'Extra yes'],
    ['\\ No newline at end of file', null],
  ]);
});

test('a change without heads of its parts has no line numbers', () => {
  expect(parseDiff('-a\n+b\nsomething')).toMatchObject([
    { kind: 'removed', before: null, text: 'a' },
    { kind: 'added', after: null, text: 'b' },
    { kind: 'note', text: 'something' },
  ]);
});
