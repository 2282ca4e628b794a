// Which lines of a log are hidden, and in which rows the others stand. Pure. Rows count from 0,
// lines from 1.

/** Hidden lines, both ends with them. The last one may have no end. */
export interface Fold {
  from: number;
  to: number;
}

export interface Folds {
  /** Rows of a log with so many lines. */
  rows: (total: number) => number;
  lineAt: (row: number) => number;
  /** The row of a line; of a hidden one, the row that stands for it. */
  rowOf: (line: number) => number;
  isHidden: (line: number) => boolean;
}

/** `ranges`: in their order, none within another; before each one stands a line that is shown. */
export function createFolds(ranges: readonly Fold[]): Folds {
  // How many lines the ranges before each one hide, and at the end all of them.
  const before = new Float64Array(ranges.length + 1);
  for (const [index, { from, to }] of ranges.entries()) {
    before[index + 1] = (before[index] ?? 0) + to - from + 1;
  }
  /** The range that begins at this line or was the last one to begin; -1: none. */
  const indexAt = (line: number) =>
    lastIndex(ranges.length, (index) => (ranges[index]?.from ?? 0) <= line);
  const hiddenUpTo = (line: number): number => {
    const index = indexAt(line);
    const fold = ranges[index];
    return fold ? (before[index] ?? 0) + Math.min(fold.to, line) - fold.from + 1 : 0;
  };
  /** The first row behind a range, if it ends. */
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

/** The last of so many for which it holds; it holds for all before. -1: for none. */
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
