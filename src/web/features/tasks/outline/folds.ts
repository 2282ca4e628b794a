// Computes which lines of a log are hidden, and the rows of the others. Pure functions. Rows count
// from 0, lines from 1.

/** A range of hidden lines, both ends included. The last range may have no end. */
export interface Fold {
  from: number;
  to: number;
}

export interface Folds {
  rows: (total: number) => number;
  lineAt: (row: number) => number;
  /** The row of a line; for a hidden line, the row of its heading. */
  rowOf: (line: number) => number;
  isHidden: (line: number) => boolean;
}

/** `ranges` are sorted and disjoint; before each of them is a visible line. */
export function createFolds(ranges: readonly Fold[]): Folds {
  // Prefix sums of hidden lines; the last entry is the total.
  const before = new Float64Array(ranges.length + 1);
  for (const [index, { from, to }] of ranges.entries()) {
    before[index + 1] = (before[index] ?? 0) + to - from + 1;
  }
  /** The last range that begins at or before this line; -1 for none. */
  const indexAt = (line: number) =>
    lastIndex(ranges.length, (index) => (ranges[index]?.from ?? 0) <= line);
  const hiddenUpTo = (line: number): number => {
    const index = indexAt(line);
    const fold = ranges[index];
    return fold ? (before[index] ?? 0) + Math.min(fold.to, line) - fold.from + 1 : 0;
  };
  /** The first row after a range, if the range ends. */
  const rowAfter = (index: number) => (ranges[index]?.from ?? 1) - 1 - (before[index] ?? 0);
  const isHidden = (line: number): boolean => line <= (ranges[indexAt(line)]?.to ?? 0);
  return {
    rows: (total) => total - hiddenUpTo(total),
    lineAt: (row) =>
      row + 1 + (before[lastIndex(ranges.length, (index) => rowAfter(index) <= row) + 1] ?? 0),
    rowOf: (line) => {
      const shown = isHidden(line) ? (ranges[indexAt(line)]?.from ?? line) - 1 : line;
      return shown - 1 - hiddenUpTo(shown);
    },
    isHidden,
  };
}

/** Binary search: the last index for which `holds` is true; -1 for none. `holds` is monotonic. */
function lastIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
