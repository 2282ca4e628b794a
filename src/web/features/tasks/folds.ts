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
  let hidden = 0;
  const folds = ranges.map(({ from, to }) => {
    const before = hidden;
    hidden += to - from + 1;
    // The first row behind it, if it ends.
    return { from, to, before, after: hidden, row: from - 1 - before };
  });
  const foldAt = (line: number) => folds[lastIndex(folds, ({ from }) => from <= line)];
  const hiddenUpTo = (line: number): number => {
    const fold = foldAt(line);
    return fold ? fold.before + Math.min(fold.to, line) - fold.from + 1 : 0;
  };
  const isHidden = (line: number): boolean => line <= (foldAt(line)?.to ?? 0);
  return {
    rows: (total) => total - hiddenUpTo(total),
    lineAt: (row) => row + 1 + (folds[lastIndex(folds, (fold) => fold.row <= row)]?.after ?? 0),
    rowOf: (line) => {
      const shown = isHidden(line) ? (foldAt(line)?.from ?? line) - 1 : line;
      return shown - 1 - hiddenUpTo(shown);
    },
    isHidden,
  };
}

/** The last one for which it holds; it holds for all before. -1: for none. */
function lastIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
