// The state of the folded plays and tasks of a log.

import { useCallback, useMemo, useState } from 'react';
import { createFolds, type Fold, type Folds } from './folds.ts';
import { around, canFold, foldedLines, type Outline } from './outline.ts';

export interface Folding {
  outline: Outline;
  folds: Folds;
  folded: ReadonlySet<number>;
  toggle: (line: number) => void;
  unfoldAround: (line: number) => void;
  /** Folds all tasks, so that their headings remain; or unfolds everything. */
  foldAll: (isFolded: boolean) => void;
}

const none: ReadonlySet<number> = new Set();

export function useFolding(outline: Outline): Folding {
  const [folded, setFolded] = useState(none);
  const ranges = useMemo(() => foldedLines(outline, folded), [outline, folded]);
  const [shown, setShown] = useState(() => ({ ranges, folds: createFolds(ranges) }));
  // A longer outline mostly folds the same lines; then the rows need no new computation.
  if (!isSame(ranges, shown.ranges)) setShown({ ranges, folds: createFolds(ranges) });
  const toggle = useCallback((line: number) => {
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(line)) next.add(line);
      return next;
    });
  }, []);
  return {
    outline,
    folds: shown.folds,
    folded,
    toggle,
    unfoldAround: (line) => {
      const next = new Set(folded);
      for (const opened of around(outline, line)) next.delete(opened);
      setFolded(next);
    },
    foldAll: (isFolded) => {
      const tasks = outline.sections.filter(({ kind }) => kind !== 'play');
      setFolded(isFolded ? new Set(tasks.filter(canFold).map(({ line }) => line)) : none);
    },
  };
}

const isSame = (some: Fold[], others: Fold[]): boolean =>
  some.length === others.length &&
  some.every(({ from, to }, index) => from === others[index]?.from && to === others[index]?.to);
