import { expect, test } from 'vitest';
import type { LogSection } from '#shared/api/task-log.ts';
import { around, canFold, createOutline, foldedLines } from './outline.ts';

const section = (
  kind: LogSection['kind'],
  line: number,
  counts: Partial<LogSection> = {},
): LogSection => {
  const none = {
    ok: 0,
    changed: 0,
    skipped: 0,
    failed: 0,
    unreachable: 0,
    ignored: 0,
    rescued: 0,
  };
  return { kind, line, name: `${kind} ${line}`, ...none, ...counts };
};

const outline = createOutline(
  [
    section('play', 3),
    section('task', 5, { ok: 2 }),
    section('task', 10, { ok: 1, failed: 1 }),
    section('play', 20),
    section('task', 22, { changed: 3, unreachable: 1, skipped: 2 }),
    section('handler', 25, { ok: 1, ignored: 1 }),
    section('recap', 30),
  ],
  true,
);

test('a task ends before the next section, a play before the next play', () => {
  expect(outline.sections.map(({ line, end }) => [line, end])).toEqual([
    [3, 19],
    [5, 9],
    [10, 19],
    [20, 29],
    [22, 24],
    [25, 29],
    [30, Infinity],
  ]);
});

test('a play has the counts of its tasks together', () => {
  expect(outline.plays).toMatchObject([
    { line: 3, ok: 3, failed: 1, changed: 0 },
    { line: 20, ok: 1, changed: 3, skipped: 2, unreachable: 1, ignored: 1 },
  ]);
});

test('what went wrong are the tasks with failed hosts or such out of reach', () => {
  expect(outline.failed.map(({ line }) => line)).toEqual([10, 22]);
});

test.each([
  ['nothing', [], []],
  ['a task', [5], [{ from: 6, to: 9 }]],
  [
    'a task and a play',
    [5, 20],
    [
      { from: 6, to: 9 },
      { from: 21, to: 29 },
    ],
  ],
  ['a play and what is in it', [3, 5, 10], [{ from: 4, to: 19 }]],
  ['the recap, which stays open', [30], []],
  ['what does not exist', [4, 99], []],
])('folds %s', (_what, folded, ranges) => {
  expect(foldedLines(outline, new Set(folded))).toEqual(ranges);
});

test('knows what is around a line', () => {
  expect([around(outline, 7), around(outline, 5), around(outline, 1)]).toEqual([[3, 5], [3], []]);
});

test('a section of one line cannot be folded', () => {
  const [play] = createOutline([section('play', 1), section('play', 2)], true).sections;
  expect(play && canFold(play)).toBe(false);
});
