// The heights of the wrapped lines of a log. A line is measured when it is drawn; until then it
// counts as one row.

import { useMemo, useRef, useState } from 'react';
import { type HeightOf, rowHeight, sameHeight } from './scaled-place.ts';

/** With more, all heights are dropped. */
const MAX_MEASURED = 20_000;

interface Wrapping {
  wrap: boolean;
  /** Identifies everything else that changes the heights: a new value measures all rows again. */
  look: string;
  lineAt: (row: number) => number;
}

interface RowHeights {
  heightOf: HeightOf;
  extra: number;
}

export function useRowHeights({ wrap, look, lineAt }: Wrapping): RowHeights & {
  /** Measures the drawn rows: the children of an element, the first of which is the row `first`. */
  measure: (list: HTMLElement | null, first: number) => void;
} {
  const [heights] = useState(() => new Map<number, number>());
  const [version, setVersion] = useState(0);
  const measured = useRef('');
  const key = `${wrap} ${look}`;
  const { heightOf, extra } = useMemo<RowHeights>(() => {
    if (!wrap) return { heightOf: sameHeight, extra: 0 };
    let sum = 0;
    for (const height of heights.values()) sum += height - rowHeight;
    return { heightOf: (row) => heights.get(lineAt(row)) ?? rowHeight, extra: sum };
    // oxlint-disable-next-line react/exhaustive-deps -- the version stands for what is in the map
  }, [wrap, heights, version, lineAt, key]);

  const measure = (list: HTMLElement | null, first: number) => {
    if (measured.current !== key || heights.size > MAX_MEASURED) heights.clear();
    measured.current = key;
    if (!wrap || !list) return;
    let isChanged = false;
    for (const [index, row] of [...list.children].entries()) {
      const line = lineAt(first + index);
      const height = Math.max(rowHeight, row.getBoundingClientRect().height);
      if (heights.get(line) === height) continue;
      heights.set(line, height);
      isChanged = true;
    }
    if (isChanged) setVersion((before) => before + 1);
  };
  return { heightOf, extra, measure };
}
