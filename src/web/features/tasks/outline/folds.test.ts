import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFolds, type Fold } from './folds.ts';

test('leaves everything where it is when nothing is folded', () => {
  const folds = createFolds([]);
  expect([folds.rows(100), folds.lineAt(41), folds.rowOf(42)]).toEqual([100, 42, 41]);
  expect(folds.isHidden(42)).toBe(false);
});

test('a fold without an end hides what still comes', () => {
  const folds = createFolds([{ from: 11, to: Infinity }]);
  expect([folds.rows(10), folds.rows(20), folds.rows(1_000_000)]).toEqual([10, 10, 10]);
  expect([folds.rowOf(500), folds.isHidden(500), folds.isHidden(10)]).toEqual([9, true, false]);
});

// Lengths of what is shown and what is hidden, in turns.
const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 })));

test('agrees with counting line by line, whatever is folded', () => {
  fc.assert(
    fc.property(lengths, fc.nat(9), (turns, rest) => {
      const ranges: Fold[] = [];
      const shown: number[] = [];
      let line = 1;
      for (const [open, closed] of turns) {
        for (const end = line + open; line < end; line += 1) shown.push(line);
        ranges.push({ from: line, to: line + closed - 1 });
        line += closed;
      }
      for (const end = line + rest; line < end; line += 1) shown.push(line);
      const total = line - 1;
      const folds = createFolds(ranges);
      expect(folds.rows(total)).toBe(shown.length);
      expect(shown.map((_, row) => folds.lineAt(row))).toEqual(shown);
      for (let number = 1; number <= total; number += 1) {
        const isHidden = !shown.includes(number);
        const row = shown.findLastIndex((other) => other <= number);
        expect([folds.isHidden(number), folds.rowOf(number)]).toEqual([isHidden, row]);
      }
    }),
  );
});

test('finds its way among ten thousand folds of a million lines in no time', () => {
  const ranges = Array.from({ length: 10_000 }, (_, index) => {
    return { from: index * 100 + 2, to: index * 100 + 100 };
  });
  const folds = createFolds(ranges);
  expect(folds.rows(1_000_000)).toBe(10_000);
  expect([folds.lineAt(9999), folds.rowOf(999_901), folds.rowOf(1_000_000)]).toEqual([
    999_901, 9999, 9999,
  ]);
});
