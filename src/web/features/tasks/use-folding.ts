// Which plays and tasks of a log are folded.

import { useCallback, useMemo, useState } from 'react';
import { createFolds, type Folds } from './folds.ts';
import { around, canFold, foldedLines, type Outline } from './outline.ts';

export interface Folding {
  outline: Outline;
  folds: Folds;
  /** The lines in which folded sections begin. */
  folded: ReadonlySet<number>;
  /** Folds or unfolds the section that begins in a line. */
  toggle: (line: number) => void;
  /** Unfolds whatever hides a line. */
  unfoldAround: (line: number) => void;
  /** Folds all tasks, so that their headings remain; or unfolds everything. */
  foldAll: (isFolded: boolean) => void;
}

const none: ReadonlySet<number> = new Set();

export function useFolding(outline: Outline): Folding {
  const [folded, setFolded] = useState(none);
  const ranges = useMemo(() => foldedLines(outline, folded), [outline, folded]);
  // An outline that has grown folds the same lines, mostly: then rows stay where they are.
  const key = ranges.map(({ from, to }) => `${from}-${to}`).join();
  // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the ranges
  const folds = useMemo(() => createFolds(ranges), [key]);
  const toggle = useCallback((line: number) => {
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(line)) next.add(line);
      return next;
    });
  }, []);
  return {
    outline,
    folds,
    folded,
    toggle,
    unfoldAround: (line) => {
      const opened = around(outline, line);
      setFolded(new Set([...folded].filter((each) => !opened.includes(each))));
    },
    foldAll: (isFolded) => {
      const tasks = outline.sections.filter(({ kind }) => kind !== 'play');
      setFolded(isFolded ? new Set(tasks.filter(canFold).map(({ line }) => line)) : none);
    },
  };
}
